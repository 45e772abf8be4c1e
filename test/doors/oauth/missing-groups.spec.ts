import { StorePage } from '../dashboard/browser.js';
import type { TestStore } from '../../support/test-app.js';
import { callTool, useOauth } from './oauth-app.js';
import { choices, type Person, type Step } from './person.js';

/** docs/behaviour.md §2.4: what a person did not grant is asked for when a call needs it. */
describe('a group that an app was not granted', () => {
  let store: TestStore;
  let person: Person;

  const oauth = useOauth();
  beforeEach(async () => {
    store = await oauth.app.store({ name: 'Tea' });
    person = oauth.person(store);
  });

  const checkedOf = ({ page }: Step) =>
    [...page.matchAll(/name="groups" value="([^"]+)"\s+checked/g)].map(([, name]) => name);
  const textOf = ({ page }: Step) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const called = async (token: string, name: string, input: object = {}) => {
    const answer = await oauth.mcp(token, callTool(name, input));
    const body = (await answer.json()) as any;
    return {
      status: answer.status,
      challenge: answer.headers.get('www-authenticate'),
      message: (body.error ?? body.result?.structuredContent.error)?.message as string | undefined,
    };
  };
  const granted = async () => {
    const owner = await StorePage.ofOwner(store);
    return (await owner.data('GET', 'connections')).items[0] as { scope: string; groups: string[] };
  };
  /** The form with these boxes checked. */
  const allow = async (scope: string, over: { scope: string; groups?: string[] }) => {
    const asked = await person.arrive(oauth.request({ scope }));
    const boxes = (over.groups ?? checkedOf(asked)).map((name): [string, string] => ['groups', name]);
    const form = new URLSearchParams([
      ...boxes,
      ['csrf', /name="csrf" value="([^"]+)"/.exec(asked.page)![1]],
      ['store', store.id],
      ['scope', over.scope],
      ['decision', 'allow'],
    ]);
    const { callback } = await person.open(asked.at.pathname, { method: 'POST', form: form as never });
    expect(callback?.searchParams.get('code')).toBeTruthy();
    return asked;
  };

  it('is named by the challenge, with the level if that is missing too', async () => {
    const { access_token: token } = await oauth.tokens(person, {}, { scope: 'write' });
    expect(await called(token, 'update_welcome_message', { text: 'Hello' })).toEqual({
      status: 403,
      challenge:
        'Bearer error="insufficient_scope", ' +
        'error_description="update_welcome_message needs the group bot", ' +
        `scope="read write group:bot", resource_metadata="${oauth.issuer}` +
        '/.well-known/oauth-protected-resource/mcp"',
      message:
        'update_welcome_message needs the group bot, which this token does not have: connect the app again ' +
        'and check "bot"',
    });
    const both = await called(token, 'delete_payment_provider', { id: store.id });
    expect(both.challenge).toContain(
      'error_description="delete_payment_provider needs admin and the group payment-providers", ' +
        'scope="read write admin group:payment-providers"',
    );
    expect(both.message).toContain('connect the app again and check "Everything" and "payment providers"');
    const previewed = await called(token, 'preview_change', {
      operation: 'update_welcome_message',
      input: { text: 'Hello' },
    });
    expect(previewed.challenge).toContain('scope="read write group:bot"');
  });

  it('is offered first and checked when it is asked for, and the token says so', async () => {
    await oauth.tokens(person, {}, { scope: 'write' });
    const asked = await person.arrive(oauth.request({ scope: 'read write group:bot group:nonsense' }));
    expect(textOf(asked)).toMatch(
      /It has: Look and change, in \d+ of the \d+ areas below\. It now asks for: bot/,
    );
    expect(choices(asked, 'groups')[0]).toBe('bot');
    expect(checkedOf(asked)).toContain('bot');
    expect(checkedOf(asked)).not.toContain('payment-providers');
    expect(asked.page.match(/value="\w+" required checked/g)).toContain('value="write" required checked');
    const answer = await oauth.exchange(
      await oauth.code(person, { scope: 'read write group:bot group:nonsense' }, { scope: 'write' }),
    );
    expect(answer.scope).toBe('read write group:bot');
    expect((await called(answer.access_token!, 'update_welcome_message', { text: 'Hello' })).status).toBe(
      200,
    );
    expect((await oauth.refresh(answer.refresh_token!)).scope).toBe('read write group:bot');
  });

  it('is not named by the token if the person left it out, nor is more than was asked for', async () => {
    const declined = await oauth.exchange(
      await oauth.code(
        person,
        { scope: 'read write group:bot' },
        { scope: 'write', fields: { groups: 'orders' } },
      ),
    );
    expect([declined.scope, (await granted()).groups]).toEqual(['read write', ['orders']]);
    const more = await oauth.exchange(await oauth.code(person, { scope: 'read write' }, { scope: 'admin' }));
    expect([more.scope, (await granted()).scope]).toEqual(['read write', 'admin']);
    const refused = await called(more.access_token!, 'delete_order', { orderId: 1, confirm: true });
    expect([refused.status, refused.challenge, refused.message]).toEqual([
      200,
      null,
      expect.stringContaining('1'),
    ]);
  });

  it('can be looked at without it', async () => {
    const { access_token: token } = await oauth.tokens(person, {}, { scope: 'read' });
    for (const name of ['get_bot', 'get_welcome_message', 'list_payment_providers'])
      expect([name, (await called(token, name)).status]).toEqual([name, 200]);
    expect((await granted()).groups).toEqual(expect.arrayContaining(['get_bot', 'get_payment_provider']));
  });

  it('stays unchecked where the person unchecked it, however the app asks again', async () => {
    await allow('read write', { scope: 'write', groups: ['orders', 'bot'] });
    // An address that offers less forgets nothing.
    await oauth.tokens(person, { resource: `${oauth.resource}?tools=orders` }, { scope: 'read' });
    const again = await allow('read write admin', { scope: 'write' });
    expect(checkedOf(again)).toEqual(['orders']);
    expect(again.page.match(/value="\w+" required checked/g)).toContain('value="admin" required checked');
    expect(checkedOf(await person.arrive(oauth.request({ scope: 'read group:products' })))).toEqual([
      'products',
      'orders',
    ]);
  });

  it('keeps what was chosen apart when another is asked for', async () => {
    await allow('read write group:bot', { scope: 'write' });
    const asked = await person.arrive(oauth.request({ scope: 'read write group:payment-providers' }));
    expect(choices(asked, 'groups')[0]).toBe('payment-providers');
    expect(checkedOf(asked)).toEqual(expect.arrayContaining(['bot', 'orders', 'payment-providers']));
  });

  it('is not checked where daily limits are set and would not hold', async () => {
    const asked = await person.arrive(oauth.request());
    expect(textOf(asked)).toContain(
      'They do not limit promocodes, prices, and the rules of bonus and cashback',
    );
    expect(checkedOf(asked)).toEqual(expect.arrayContaining(['promocodes', 'monetization']));
    await oauth.tokens(person, {}, { scope: 'write', fields: { limitBonus: '10' } });
    const again = checkedOf(await person.arrive(oauth.request()));
    expect(again).toContain('orders');
    expect(again).not.toContain('promocodes');
    expect(again).not.toContain('monetization');
  });
});
