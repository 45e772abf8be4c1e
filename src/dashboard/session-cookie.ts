import { SESSION_LIFE_MS } from '../people/sessions.service.js';

const NAME = 'shop_session';
const FORM = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_-]{43})(?:;|$)`);
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The session's token out of a Cookie header. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  return FORM.exec(cookies ?? '')?.[1] ?? null;
}

/**
 * The Set-Cookie header that hands a session to the browser, or takes it back with a token of null. Scripts cannot read it and no
 * other site's request carries it; it goes over https only, save on a developer's own machine.
 * @param baseUrl the service's public address; behind a path, so is the cookie
 */
export function sessionCookie(token: string | null, baseUrl: string): string {
  const { protocol, hostname, pathname } = new URL(baseUrl);
  const seconds = token === null ? 0 : SESSION_LIFE_MS / 1000;
  const path = `${pathname.replace(/\/$/, '')}/dashboard`;
  const secure = protocol === 'http:' && LOOPBACK.test(hostname) ? '' : '; Secure';
  return `${NAME}=${token ?? ''}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
