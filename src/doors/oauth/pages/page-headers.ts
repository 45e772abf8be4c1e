import { STYLE_HASH } from './layout.js';

/**
 * The headers of the sign-in pages, which forbid framing and scripts. There is no `form-action`, because
 * browsers also apply it to the redirect to the app and would block it. The referrer policy is not
 * `no-referrer`, because with that browsers send `Origin: null` with the page's own form.
 */
export const pageHeaders = (): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; style-src '${STYLE_HASH}'; ` + "base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
});
