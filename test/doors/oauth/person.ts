/**
 * A person at a browser: keeps cookies by path, follows redirects within the service, fills in the forms of
 * the sign-in pages.
 */
export class Person {
  private readonly jar = new Map<string, { name: string; value: string; path: string }>();

  constructor(
    readonly issuer: string,
    readonly email: string,
    readonly password = 'correct horse battery',
  ) {}

  async request(
    address: string | URL,
    {
      method = 'GET',
      form,
      headers = {},
    }: { method?: string; form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const url = new URL(address, this.issuer);
    const sent = [...this.jar.values()].filter(({ path }) => url.pathname.startsWith(path));
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      body: form && new URLSearchParams(form),
      headers: {
        Accept: 'text/html',
        ...(sent.length > 0 ? { Cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') } : {}),
        ...(method === 'POST' ? { Origin: new URL(this.issuer).origin } : {}),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
    if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.jar.delete(`${name} ${path}`);
    else this.jar.set(`${name} ${path}`, { name, value, path });
  }

  /** As if the browser had been closed, or the session had ended. */
  forget(name: string): void {
    for (const [key, cookie] of this.jar) if (cookie.name === name) this.jar.delete(key);
  }

  /**
   * Follows redirects of the service itself. @returns the page it ends at, or the callback that the browser
   * is sent to
   */
  async open(address: string | URL, options?: Parameters<Person['request']>[1]): Promise<Step> {
    let response = await this.request(address, options);
    let at = new URL(address, this.issuer);
    while (response.status >= 300 && response.status < 400) {
      at = new URL(response.headers.get('location')!, at);
      if (at.origin !== new URL(this.issuer).origin)
        return { callback: at, status: response.status, page: '', at, headers: response.headers };
      response = await this.request(at);
    }
    return {
      callback: null,
      status: response.status,
      page: await response.text(),
      at,
      headers: response.headers,
    };
  }

  /** Opens an authorization request and signs in where asked. @returns the page where the person decides */
  async arrive(address: string | URL): Promise<Step> {
    const step = await this.open(address);
    if (!step.page.includes('Sign in to continue')) return step;
    const form = { email: this.email, password: this.password };
    return this.open(`${step.at.pathname}/sign-in`, { method: 'POST', form });
  }

  /** The whole way, to the app's callback or to wherever it ends. */
  async decide(
    address: string | URL,
    { store, scope = 'read', decision = 'allow', fields = {} }: Decision = {},
  ): Promise<Step & { asked: Step }> {
    const asked = await this.arrive(address);
    if (!asked.page.includes('asks for access to a shop')) return { ...asked, asked };
    const proof: Record<string, string> = scope === 'admin' ? { currentPassword: this.password } : {};
    const chosen = { store: store ?? choices(asked, 'store')[0], scope, decision, ...proof, ...fields };
    const answer = await this.answer(asked, chosen);
    return { ...answer, asked };
  }

  /** Sends the form of the page where the person decides. */
  answer(
    page: Step,
    form: Record<string, string>,
    options: Parameters<Person['request']>[1] = {},
  ): Promise<Step> {
    return this.open(page.at.pathname, { method: 'POST', form: { csrf: csrfOf(page), ...form }, ...options });
  }
}

export interface Decision {
  store?: string;
  scope?: string;
  decision?: string;
  /** What else is filled in. */
  fields?: Record<string, string>;
}

export interface Step {
  callback: URL | null;
  status: number;
  page: string;
  at: URL;
  headers: Headers;
}

export const csrfOf = ({ page }: Step): string => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** The values a page offers for a field. */
export const choices = ({ page }: Step, name: string): string[] =>
  [...page.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value]) => value);
