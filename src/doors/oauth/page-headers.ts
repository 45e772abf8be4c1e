import { STYLE_HASH } from './pages.js';

/**
 * The headers of the sign-in pages. No framing, no script. No `form-action`: browsers hold it against the redirect to the app, too, and
 * then nothing happens. Not `no-referrer`: with it they send `Origin: null` with our own form.
 */
export const pageHeaders = (): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
});
