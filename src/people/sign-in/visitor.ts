import type { Call } from '../../platform/store/call.js';

/** A person's browser, signed in or not. */
export interface Visitor extends Pick<Call, 'address' | 'setHeader'> {
  userAgent: string | undefined;
  /** The cookie that KnownBrowsers gave it. */
  browserCookie: string | null;
}
