import type { Call } from '../platform/store/call.js';

/** Somebody's browser, signed in or not. */
export interface Visitor extends Pick<Call, 'address' | 'setHeader'> {
  userAgent: string | undefined;
  /** What KnownBrowsers gave it. */
  browserCookie: string | null;
}
