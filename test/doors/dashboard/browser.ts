import { type Answer, type TestApp, type TestStore } from '../../support/test-app.js';

export const OWNER_PASSWORD = 'correct horse battery';
/** What making or removing an owner, and access of scope admin, ask for once more. */
export const PROOF = { currentPassword: OWNER_PASSWORD };

/** Somebody at the dashboard: keeps its cookies and sends them along, as a browser does. */
export class Browser {
  /** The session's. */
  cookie: string | null = null;
  /** What a browser is known by that has signed in before. */
  mark: string | null = null;

  constructor(readonly app: TestApp) {}

  /** @returns a browser that is signed in */
  static async signedIn(app: TestApp, email: string, password = OWNER_PASSWORD): Promise<Browser> {
    const browser = new Browser(app);
    const { status } = await browser.signIn(email, password);
    if (status !== 200) throw new Error(`${email} could not sign in: ${status}`);
    return browser;
  }

  signIn(email: string, password = OWNER_PASSWORD): Promise<Answer> {
    return this.send('POST', 'auth/sign-in', { email, password });
  }

  /** Redeems an invitation, which must succeed: as whoever is signed in, or with an account of its own. */
  async accept(invitation: string, password = this.cookie ? undefined : OWNER_PASSWORD): Promise<void> {
    const { status, body } = await this.post('auth/accept-invitation', { invitation, password });
    if (status !== 200) throw new Error(`the invitation was refused: ${body.error!.message}`);
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body);
  }

  /** The answer as it comes, for what is no JSON. */
  open(path: string, init: RequestInit = {}): Promise<Response> {
    const cookies = [this.cookie, this.mark].filter(Boolean).join('; ');
    return fetch(`${this.app.url}/dashboard/api/${path}`, {
      ...init,
      headers: { Cookie: cookies, ...init.headers },
    });
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.app.url}/dashboard/api/${path}`, {
      method,
      headers: {
        ...(this.cookie || this.mark ? { Cookie: [this.cookie, this.mark].filter(Boolean).join('; ') } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(';', 1);
      if (pair.includes('shop_session=')) this.cookie = pair;
      else this.mark = pair;
    }
    const { status } = response;
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (isJson) return { status, headers: response.headers, body: (await response.json()) as Answer['body'] };
    // What comes bit by bit may never end; who wants it reads it with `open`.
    await response.body?.cancel();
    return { status, headers: response.headers, body: { ok: response.ok } };
  }
}

/** The signed-in owner of a store, with paths below the store. */
export class StorePage {
  constructor(
    readonly browser: Browser,
    readonly storeId: string,
  ) {}

  static async ofOwner(store: TestStore): Promise<StorePage> {
    return new StorePage(await Browser.signedIn(store.app, store.ownerEmail), store.id);
  }

  /** A new member of the store's staff, signed in. */
  static async ofStaff(
    store: TestStore,
    owner: StorePage,
  ): Promise<StorePage & { email: string; userId: string }> {
    const email = `staff-${Math.random().toString(36).slice(2)}@test.example`;
    const browser = new Browser(store.app);
    await browser.accept((await owner.data('POST', 'members', { email })).invitation);
    const { id: userId } = (await browser.get('me')).body.data;
    return Object.assign(new StorePage(browser, store.id), { email, userId });
  }

  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.browser.send(method, `stores/${this.storeId}/${path}`, body, headers);
  }

  /** For what must succeed. */
  async data(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, path, body);
    if (!answer.body.ok)
      throw new Error(
        `${method} ${path} was refused: ${answer.body.error!.code} ${answer.body.error!.message}`,
      );
    return answer.body.data;
  }
}

export const refusal = (status: number, code: string) => ({ status, body: { ok: false, error: { code } } });
