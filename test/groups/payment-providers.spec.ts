import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentProviders } from '../../src/groups/payment-providers/payment-providers.service.js';
import { SecretBox } from '../../src/platform/crypto/secret-box.js';
import { TestApp, TestClock, type TestStore } from '../support/test-app.js';

const CARD = {
  providerName: 'card',
  providerToken: '284685063:TEST:Zm9vYmFyYmF6',
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD', 'EUR'],
};
const NOWHERE = '0198c0de-0000-7000-8000-000000000000';
const UNKNOWN_IDS = [NOWHERE, 'not-an-id', '1'];

describe('payment providers', () => {
  let app: TestApp;
  let store: TestStore;
  const clock = new TestClock();

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
  });

  const create = (values: object = {}) => store.data('create_payment_provider', { ...CARD, ...values }, { scope: 'write' });
  const get = (id: string) => store.data('get_payment_provider', { id }, { scope: 'read' });
  const refusal = async (operation: string, input: unknown) => {
    const { status, body } = await store.call(operation, input);
    return { status, ...body.error };
  };
  const rowOf = async (id: string) => (await app.query<any>('select * from payment_providers where id = $1', [id]))[0];
  const storedMetadata = async (id: string) => {
    const { sealed_metadata } = await rowOf(id);
    return JSON.parse(app.nest.get(SecretBox).open(sealed_metadata, `provider:${id}`));
  };

  it('returns a provider whole, without its token', async () => {
    const created = await create({ metadata: { keyId: 'key-id-123456', note: null } });
    const { providerToken: _, ...shown } = CARD;
    expect(created).toEqual({
      ...shown,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      hasToken: true,
      tokenHint: 'YmF6',
      metadata: { keyId: 'key-id-123456', note: null },
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    });
    expect(await get(created.id)).toEqual(created);
    expect(await create()).toMatchObject({ metadata: null });
  });

  it.each([
    ['', false, null],
    ['1234567', true, null],
    ['12345678', true, '5678'],
    ['секрет-🗝️🗝️🗝️🗝', true, '\u{fe0f}🗝\u{fe0f}🗝'],
  ])('answers the token %j as hasToken %s, tokenHint %j', async (providerToken, hasToken, tokenHint) => {
    expect(await create({ providerToken })).toMatchObject({ hasToken, tokenHint });
  });

  it('lists all of them in one page, newest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.unshift((await create({ providerName: `p${i}` })).id);
    const list = await store.data('list_payment_providers', {}, { scope: 'read' });
    expect(list.nextCursor).toBeNull();
    expect(list.items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(list.items[0]).toEqual(await get(ids[0]));
    expect(await (await app.store()).data('list_payment_providers')).toEqual({ items: [], nextCursor: null });
  });

  it('changes what is given and keeps the rest', async () => {
    const created = await create({ metadata: { apiKey: 'abcdefgh12345678' } });
    clock.advance(1000);
    const changes = { isActive: false, supportedCurrencies: ['XTR'] };
    const updated = await store.data('update_payment_provider', { id: created.id, ...changes }, { scope: 'write' });
    expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now().toISOString() });
    expect(await get(created.id)).toEqual(updated);
    expect(await storedMetadata(created.id)).toEqual({ apiKey: 'abcdefgh12345678' });
    clock.advance(1000);
    expect(await store.data('update_payment_provider', { id: created.id })).toEqual(updated);
    expect(await store.data('update_payment_provider', { id: created.id, isTestMode: false })).toMatchObject({
      isTestMode: false,
    });
    expect(await store.data('update_payment_provider', { id: created.id, providerToken: 'another-token-9876' })).toMatchObject({
      tokenHint: '9876',
    });
    expect(await store.data('update_payment_provider', { id: created.id, providerToken: '' })).toMatchObject({
      hasToken: false,
      tokenHint: null,
    });
    expect(await store.data('update_payment_provider', { id: created.id, metadata: {} })).toMatchObject({ metadata: {} });
  });

  it('lets both of two concurrent updates last', async () => {
    const { id } = await create();
    let second: Promise<any>;
    await store.inside(async (ctx) => {
      await app.nest.get(PaymentProviders).update(ctx, { id, isActive: false });
      second = store.data('update_payment_provider', { id, isTestMode: false });
      // Long enough for it to reach the row that is locked here.
      await sleep(150);
    });
    expect(await second!).toMatchObject({ isActive: false, isTestMode: false });
    expect(await get(id)).toMatchObject({ isActive: false, isTestMode: false });
  });

  it('deletes for good, with confirm true or without', async () => {
    for (const confirm of [undefined, true]) {
      const { id } = await create();
      expect(await store.data('delete_payment_provider', { id, confirm })).toEqual({ id, deleted: true });
      expect(await refusal('get_payment_provider', { id })).toMatchObject({ status: 404, code: 'not_found' });
      expect(await refusal('delete_payment_provider', { id })).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('needs the admin scope to delete and the write scope to change', async () => {
    const { id } = await create();
    expect((await store.call('delete_payment_provider', { id }, { scope: 'write' })).status).toBe(403);
    expect((await store.call('update_payment_provider', { id, isActive: false }, { scope: 'read' })).status).toBe(403);
    expect((await store.call('create_payment_provider', CARD, { scope: 'read' })).status).toBe(403);
    expect(await get(id)).toMatchObject({ isActive: true });
  });

  it("does not find another store's provider, or an id that is none", async () => {
    const foreign = await (await app.store()).data('create_payment_provider', CARD);
    for (const id of [foreign.id, ...UNKNOWN_IDS]) {
      expect(await refusal('get_payment_provider', { id })).toMatchObject({ status: 404, code: 'not_found' });
      expect(await refusal('update_payment_provider', { id, isActive: false })).toMatchObject({ status: 404, code: 'not_found' });
      expect(await refusal('delete_payment_provider', { id })).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await rowOf(foreign.id)).toMatchObject({ is_active: true });
  });

  it('refuses to change or delete an inline provider', async () => {
    const { id } = await create({ metadata: { source: 'inline', fieldId: 'pay' } });
    const before = await rowOf(id);
    for (const [operation, input] of [
      ['update_payment_provider', { id, isActive: false }],
      ['update_payment_provider', { id, metadata: {} }],
      ['update_payment_provider', { id }],
      ['delete_payment_provider', { id, confirm: true }],
    ] as const) {
      expect(await refusal(operation, input)).toEqual({
        status: 400,
        code: 'invalid_input',
        message: 'id names a provider that a payment_button checkout field manages: edit it through update_checkout',
      });
    }
    expect(await rowOf(id)).toEqual(before);
    const other = await create({ metadata: { source: 'Inline' } });
    expect(await store.data('delete_payment_provider', { id: other.id })).toEqual({ id: other.id, deleted: true });
  });

  describe('secrets', () => {
    const SECRETS = {
      clientKey: 'client-key-aaaa',
      serverKey: 'server-key-bbbb',
      apiKey: 'api-key-cccc',
      ipnSecret: 'ipn-secret-dddd',
      accessToken: 'access-token-eeee',
      PASSWORD: 'password-ffff',
      'X-SECRET-Header': 'header-gggg',
      signing_key_pem: 'pem-hhhh-hhhh',
      nested: { deeper: [{ webhookSecret: 'nested-iiii' }] },
      keys: { live: 'live-jjjj', test: ['test-kkkk', 12345678] },
      numberKey: 87654321,
      flagToken: true,
      shortKey: 'tiny',
      emptyKey: '',
      nullKey: null,
    };
    const PLAIN = {
      keyId: 'rzp_live_plain',
      KEYID: 'other-plain',
      merchantId: 'm-1',
      walletAddress: 'UQ-address',
      count: 3,
      on: true,
    };
    const MASKED = {
      clientKey: '••••aaaa',
      serverKey: '••••bbbb',
      apiKey: '••••cccc',
      ipnSecret: '••••dddd',
      accessToken: '••••eeee',
      PASSWORD: '••••ffff',
      'X-SECRET-Header': '••••gggg',
      signing_key_pem: '••••hhhh',
      nested: { deeper: [{ webhookSecret: '••••iiii' }] },
      keys: { live: '••••jjjj', test: ['••••kkkk', '••••5678'] },
      numberKey: '••••4321',
      flagToken: '••••',
      shortKey: '••••',
      emptyKey: '',
      nullKey: null,
    };
    const CLEAR =
      /284685063|Zm9vYmFy|client-key|server-key|api-key|ipn-secret|access-token|password-f|header-g|pem-h|nested-i|live-j|test-k|12345678|87654321|tiny/;

    it('come back masked from every operation', async () => {
      const created = await create({ metadata: { ...SECRETS, ...PLAIN } });
      expect(created.metadata).toEqual({ ...MASKED, ...PLAIN });
      expect(await get(created.id)).toEqual(created);
      expect((await store.data('list_payment_providers')).items).toEqual([created]);
      const updated = await store.data('update_payment_provider', { id: created.id, metadata: SECRETS });
      expect(updated.metadata).toEqual(MASKED);
      expect(JSON.stringify([created, updated])).not.toMatch(CLEAR);
    });

    it('are encrypted at rest, bound to their row', async () => {
      const { id } = await create({ metadata: { ...SECRETS, ...PLAIN } });
      const row = await rowOf(id);
      expect(JSON.stringify(row)).not.toMatch(CLEAR);
      const box = app.nest.get(SecretBox);
      expect(box.open(row.sealed_token, `provider:${id}`)).toBe(CARD.providerToken);
      expect(await storedMetadata(id)).toEqual({ ...SECRETS, ...PLAIN });
      expect(() => box.open(row.sealed_token, `provider:${NOWHERE}`)).toThrow();
    });

    it('are never audited', async () => {
      const { id } = await create({ metadata: { ...SECRETS, ...PLAIN } });
      await store.data('update_payment_provider', {
        id,
        isActive: false,
        providerToken: '284685063:new',
        metadata: { ...SECRETS, apiKey: 'api-key-rotated', merchantId: 'm-2' },
      });
      await store.data('delete_payment_provider', { id });
      const rows = await app.query<any>(
        `select operation, target, input, changes from audit_log where store_id = $1 order by id`,
        [store.id],
      );
      expect(JSON.stringify(rows)).not.toMatch(CLEAR);
      expect(JSON.stringify(rows)).not.toMatch('•');
      expect(rows.map(({ operation, target }) => [operation, target])).toEqual([
        ['create_payment_provider', id],
        ['update_payment_provider', id],
        ['delete_payment_provider', id],
      ]);
      expect(rows[0].input).toMatchObject({
        providerName: 'card',
        providerToken: '[removed]',
        metadata: { keyId: 'rzp_live_plain' },
      });
      expect(rows[1].changes).toMatchObject({
        isActive: [true, false],
        metadata: [{ merchantId: 'm-1' }, { merchantId: 'm-2' }],
      });
    });

    it('keep their value when sent back as they were masked', async () => {
      const { id, metadata } = await create({ metadata: { ...SECRETS, ...PLAIN } });
      const { nullKey: _, ...rest } = metadata;
      const updated = await store.data('update_payment_provider', {
        id,
        metadata: { ...rest, apiKey: 'api-key-rotated', merchantId: 'm-2' },
      });
      expect(updated.metadata).toEqual({ ...rest, apiKey: '••••ated', merchantId: 'm-2' });
      const { nullKey: __, ...kept } = SECRETS;
      expect(await storedMetadata(id)).toEqual({ ...kept, ...PLAIN, apiKey: 'api-key-rotated', merchantId: 'm-2' });
    });

    it.each([
      ['metadata.apiKey', { apiKey: '••••dddd' }],
      ['metadata.apiKey', { apiKey: '••••' }],
      ['metadata.newKey', { newKey: '••••cccc' }],
      ['metadata.keys.test[1]', { keys: { test: ['••••kkkk', '••••kkkk'] } }],
      ['metadata.keys', { keys: '••••ect]' }],
      ['metadata.nullKey', { nullKey: '••••' }],
      ['metadata.nested.deeper[1].webhookSecret', { nested: { deeper: [{}, { webhookSecret: '••••iiii' }] } }],
    ])('refuses a mask at %s that stands for nothing stored', async (path, metadata) => {
      const { id } = await create({ metadata: SECRETS });
      const before = await rowOf(id);
      const message = `${path} is masked and does not stand for the stored secret: send the secret itself`;
      expect(await refusal('update_payment_provider', { id, metadata })).toEqual({ status: 400, code: 'invalid_input', message });
      expect(await refusal('create_payment_provider', { ...CARD, metadata })).toMatchObject({
        status: 400,
        code: 'invalid_input',
      });
      expect(await rowOf(id)).toEqual(before);
      expect((await store.data('list_payment_providers')).items).toHaveLength(1);
    });

    it('take dots that are no mask as they are', async () => {
      const metadata = { apiKey: '••••12345', label: '••••1234' };
      const { id } = await create({ metadata });
      expect(await storedMetadata(id)).toEqual(metadata);
    });
  });

  describe('metadata', () => {
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const MESSAGE = 'metadata must be at most 16384 bytes of JSON';

    it('holds 16 KiB of JSON and no more', async () => {
      const { id } = await create({ metadata: sized(16384) });
      const updated = await store.data('update_payment_provider', { id, metadata: sized(16384) });
      for (const metadata of [sized(16385), { a: '€'.repeat(6000) }]) {
        const refused = { status: 400, code: 'invalid_input', message: MESSAGE };
        expect(await refusal('create_payment_provider', { ...CARD, metadata })).toEqual(refused);
        expect(await refusal('update_payment_provider', { id, metadata })).toEqual(refused);
      }
      expect((await store.data('list_payment_providers')).items).toEqual([updated]);
    });

    it('cannot grow beyond it through masks', async () => {
      const { id } = await create({ metadata: { apiKey: 'k'.repeat(10_000) } });
      const metadata = { apiKey: '••••kkkk', note: 'n'.repeat(10_000) };
      expect(await refusal('update_payment_provider', { id, metadata })).toMatchObject({ status: 400, message: MESSAGE });
      expect(await storedMetadata(id)).toEqual({ apiKey: 'k'.repeat(10_000) });
    });
  });

  const accepted: [string, unknown][] = [
    ['providerName', 'x'],
    ['providerName', 'x'.repeat(5000)],
    ['providerToken', ''],
    ['providerToken', 'x'],
    ...['isTestMode', 'isActive'].flatMap((name): [string, unknown][] => [
      [name, true],
      [name, false],
    ]),
    ['supportedCurrencies', ['XTR']],
    ['supportedCurrencies', ['', 'usd', 'USDT-TRC20', 'usd']],
    ['metadata', {}],
    ['metadata', { a: [1, null, { b: false }] }],
  ];
  it.each(accepted.map(([name, value]) => [name, JSON.stringify(value).slice(0, 40), value]))(
    'accepts %s %s',
    async (name, _, value) => {
      const expected = name === 'providerToken' ? { hasToken: value !== '' } : { [name as string]: value };
      const created = await create({ [name as string]: value });
      expect(created).toMatchObject(expected);
      if (name === 'providerName') return;
      const { id } = await create();
      expect(await store.data('update_payment_provider', { id, [name as string]: value })).toMatchObject(expected);
    },
  );

  const refused: [string, unknown][] = [
    ...['', null, 5, []].map((value): [string, unknown] => ['providerName', value]),
    ...[null, 5, []].map((value): [string, unknown] => ['providerToken', value]),
    ...['isTestMode', 'isActive'].flatMap((name) => [null, 'true', 1, []].map((value): [string, unknown] => [name, value])),
    ...[[], null, 'USD', {}, [1], [null], [['USD']]].map((value): [string, unknown] => ['supportedCurrencies', value]),
    ...[null, [], 'x', 5].map((value): [string, unknown] => ['metadata', value]),
    ['hasToken', true],
    ['tokenHint', 'abcd'],
  ];
  it.each(refused)('refuses %s %j', async (name, value) => {
    const { id } = await create();
    const before = await store.data('list_payment_providers');
    const expected = { status: 400, code: 'invalid_input', message: expect.stringMatching(new RegExp(`^${name} `)) };
    expect(await refusal('create_payment_provider', { ...CARD, [name]: value })).toEqual(expected);
    expect(await refusal('update_payment_provider', { id, isActive: false, [name]: value })).toEqual(expected);
    expect(await store.data('list_payment_providers')).toEqual(before);
  });

  it.each(Object.keys(CARD))('requires %s', async (name) => {
    expect(await refusal('create_payment_provider', { ...CARD, [name]: undefined })).toEqual({
      status: 400,
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(`^${name} is required`)),
    });
  });

  it.each([
    ['get_payment_provider', {}, 'id'],
    ['get_payment_provider', { id: '' }, 'id'],
    ['get_payment_provider', { id: 5 }, 'id'],
    ['update_payment_provider', { isActive: true }, 'id'],
    ['update_payment_provider', { id: null }, 'id'],
    ['update_payment_provider', { id: NOWHERE, providerName: 'renamed' }, 'providerName'],
    ['delete_payment_provider', {}, 'id'],
    ['delete_payment_provider', { id: NOWHERE, confirm: false }, 'confirm'],
    ['delete_payment_provider', { id: NOWHERE, confirm: null }, 'confirm'],
    ['delete_payment_provider', { id: NOWHERE, confirm: 'true' }, 'confirm'],
    ['list_payment_providers', { take: 5 }, 'take'],
  ])('%s refuses %j', async (operation, input, name) => {
    expect(await refusal(operation, input)).toEqual({
      status: 400,
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(`^${name} `)),
    });
  });
});
