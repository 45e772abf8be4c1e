import type { Session } from '../../people/sessions.service.js';
import type { Call } from '../../platform/store/call.js';

/** Who calls a page that is about no store. */
export interface Caller {
  call: Call;
  /** Null on public pages, and where a session is optional. */
  session: Session | null;
}
