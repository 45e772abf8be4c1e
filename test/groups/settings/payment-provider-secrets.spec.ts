import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const CARD = {
  providerName: 'card',
  providerToken: '284685063:TEST:Zm9vYmFyYmF6',
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD', 'EUR'],
};
const NOWHERE = '0198c0de-0000-7000-8000-000000000000';

describe('secrets of payment providers', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  const create = (values: object = {}) =>
    store.data('create_payment_provider', { ...CARD, ...values }, { scope: 'write' });
  const get = (id: string) => store.data('get_payment_provider', { id }, { scope: 'read' });
  const refusal = async (operation: string, input: unknown) => {
    const { status, body } = await store.call(operation, input);
    return { status, ...body.error };
  };
  const rowOf = async (id: string) =>
    (await app.query<any>('select * from payment_providers where id = $1', [id]))[0];
  const storedMetadata = async (id: string) => {
    const { sealed_metadata } = await rowOf(id);
    return JSON.parse(app.nest.get(SecretBox).open(sealed_metadata, `provider:${id}`));
  };

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
  const CLEAR = new RegExp(
    '284685063|Zm9vYmFy|client-key|server-key|api-key|ipn-secret|access-token|password-f|' +
      'header-g|pem-h|nested-i|live-j|test-k|12345678|87654321|tiny',
  );

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
      ['create_payment_provider', `payment_provider:${id}`],
      ['update_payment_provider', `payment_provider:${id}`],
      ['delete_payment_provider', `payment_provider:${id}`],
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
    expect(await storedMetadata(id)).toEqual({
      ...kept,
      ...PLAIN,
      apiKey: 'api-key-rotated',
      merchantId: 'm-2',
    });
  });

  it.each([
    ['metadata.apiKey', { apiKey: '••••dddd' }],
    ['metadata.apiKey', { apiKey: '••••' }],
    ['metadata.newKey', { newKey: '••••cccc' }],
    ['metadata.keys.test[1]', { keys: { test: ['••••kkkk', '••••kkkk'] } }],
    ['metadata.keys', { keys: '••••ect]' }],
    ['metadata.nullKey', { nullKey: '••••' }],
    ['metadata.nested.deeper[1].webhookSecret', { nested: { deeper: [{}, { webhookSecret: '••••iiii' }] } }],
  ])('are refused as a mask at %s if nothing is stored there', async (path, metadata) => {
    const { id } = await create({ metadata: SECRETS });
    const before = await rowOf(id);
    const message = `${path} is masked and does not stand for the stored secret: send the secret itself`;
    expect(await refusal('update_payment_provider', { id, metadata })).toEqual({
      status: 400,
      code: 'invalid_input',
      message,
    });
    expect(await refusal('create_payment_provider', { ...CARD, metadata })).toMatchObject({
      status: 400,
      code: 'invalid_input',
    });
    expect(await rowOf(id)).toEqual(before);
    expect((await store.data('list_payment_providers')).items).toHaveLength(1);
  });

  it('are stored as given if their dots are no mask', async () => {
    const metadata = { apiKey: '••••12345', label: '••••1234' };
    const { id } = await create({ metadata });
    expect(await storedMetadata(id)).toEqual(metadata);
  });

  it('do not keep a change of the rest from being undone, as long as none of them changes', async () => {
    const metadata = { note: 'a', apiKey: 'api-key-cccc', keyId: 'k-1', shortKey: 'tiny' };
    const { id } = await create({ metadata });
    const undo = async () => {
      const { items } = await store.data('list_activity', { take: 1 });
      return (await store.call('undo_change', { activityId: items[0].id })).status;
    };
    const change = (values: object) => store.data('update_payment_provider', { id, ...values });
    const shown = (await get(id)).metadata;
    await change({ metadata: { ...shown, note: 'b', keyId: 'k-2' }, isActive: false });
    expect(await undo()).toBe(200);
    expect(await get(id)).toMatchObject({ metadata: shown, isActive: true });
    expect(await storedMetadata(id)).toEqual(metadata);
    for (const secret of [{ apiKey: 'another-cccc' }, { shortKey: 'teny' }, { newKey: 'x' }]) {
      await change({ metadata: { ...shown, ...secret, note: 'c' } });
      expect(await undo()).toBe(400);
      await change({ metadata });
    }
    await change({ providerToken: 'another-token-9876' });
    expect(await undo()).toBe(400);
    const plain = (await create()).id;
    await store.data('update_payment_provider', { id: plain, metadata: { note: 'a' } });
    expect(await undo()).toBe(200);
    expect((await get(plain)).metadata).toEqual({});
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
      expect(await refusal('update_payment_provider', { id, metadata })).toMatchObject({
        status: 400,
        message: MESSAGE,
      });
      expect(await storedMetadata(id)).toEqual({ apiKey: 'k'.repeat(10_000) });
    });
  });
});
