import type { Session } from '../../people/sign-in/sessions.service.js';
import type { Call } from '../../platform/store/call.js';

/** The caller of a route. Routes outside a store get it instead of a context. */
export interface Caller {
  call: Call;
  /** Null on public routes, and without a session on routes where it is optional. */
  session: Session | null;
}
