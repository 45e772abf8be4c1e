import { Inject, Injectable } from '@nestjs/common';
import { isOwnMachine } from '../../platform/text/url.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import type { Call } from '../../platform/store/call.js';
import { SESSION_LIFE_MS } from '../../people/sign-in/sessions.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import type { Visitor } from '../../people/sign-in/known-browsers.service.js';
import { DAY_MS } from '../../platform/clock.js';

/** The longest time for which browsers keep a cookie. */
const BROWSER_LIFE_MS = 400 * DAY_MS;

/**
 * The dashboard's two cookies: the session, and the mark of a browser that has signed in before. Scripts
 * cannot read them, and requests from other sites do not include them. They are sent only over https, and
 * their names begin with `__Host-`, so that neither a sibling host nor an http page can set them. The
 * exception is a developer's own machine, where http must work.
 */
@Injectable()
export class Cookies {
  private readonly session: Cookie;
  private readonly browser: Cookie;

  constructor(@Inject(CONFIG) { baseUrl }: Pick<Config, 'baseUrl'>) {
    this.session = new Cookie('shop_session', SESSION_LIFE_MS, baseUrl);
    this.browser = new Cookie('shop_browser', BROWSER_LIFE_MS, baseUrl);
  }

  /** The token of the session; null if there is no such cookie. */
  sessionOf(call: Pick<Call, 'headers'>): string | null {
    return this.session.read(call.headers.cookie);
  }

  visitorOf(call: Call): Visitor {
    return {
      address: call.address,
      userAgent: call.headers['user-agent'],
      browserCookie: this.browser.read(call.headers.cookie),
      setHeader: (name, value) => call.setHeader(name, value),
    };
  }

  signIn(call: Call, { sessionToken, browserCookie }: SignedIn): void {
    call.setHeader('Set-Cookie', [this.session.write(sessionToken), this.browser.write(browserCookie)]);
  }

  /**
   * Removes only the session. The browser remains known, so that strangers cannot lock it out by using up the
   * attempts.
   */
  signOut(call: Call): void {
    call.setHeader('Set-Cookie', this.session.write(null));
  }

  remember(call: Call, browserCookie: string): void {
    call.setHeader('Set-Cookie', this.browser.write(browserCookie));
  }
}

/** The name of the session cookie of a service with this public address. */
export const sessionCookieName = (baseUrl: string) =>
  new Cookie('shop_session', SESSION_LIFE_MS, baseUrl).name;

class Cookie {
  readonly name: string;
  private readonly form: RegExp;
  private readonly attributes: string;

  /**
   * @param baseUrl the public address of the service; on a developer's machine, the cookie is limited to its
   * dashboard's path
   */
  constructor(
    name: string,
    private readonly lifeMs: number,
    baseUrl: string,
  ) {
    const { protocol, hostname, pathname } = new URL(baseUrl);
    const isPlain = protocol === 'http:' && isOwnMachine(hostname);
    this.name = isPlain ? name : `__Host-${name}`;
    this.attributes =
      `HttpOnly; SameSite=Strict${isPlain ? '' : '; Secure'}; ` +
      `Path=${isPlain ? `${pathname.replace(/\/$/, '')}/dashboard` : '/'}`;
    this.form = new RegExp(`(?:^|;\\s*)${this.name}=([A-Za-z0-9_-]{43})(?:;|$)`);
  }

  read(header: string | undefined): string | null {
    return this.form.exec(header ?? '')?.[1] ?? null;
  }

  /** The value of the Set-Cookie header; null removes the cookie. */
  write(value: string | null): string {
    return (
      `${this.name}=${value ?? ''}; Max-Age=${value === null ? 0 : this.lifeMs / 1000}; ` +
      `${this.attributes}`
    );
  }
}
