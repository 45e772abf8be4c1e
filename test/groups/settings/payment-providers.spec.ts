import { PaymentProviders } from '../../../src/groups/payment-providers/payment-providers.service.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { fillProviders } from '../../support/database/fill-providers.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

const CARD = {
  providerName: 'card',
  providerToken: '284685063:TEST:Zm9vYmFyYmF6',
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD', 'EUR'],
};
const NOWHERE = '0198c0de-0000-7000-8000-000000000000';

describe('payment providers', () => {
  let store: TestStore;
  const clock = new TestClock();

  const app = useShop({ clock });
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
    expect(await create()).toMatchObject({ metadata: {} });
  });

  it('are at most 50 in a store, because their list has no pages', async () => {
    await fillProviders(app, store);
    const { id } = await create();
    expect(await refusal('create_payment_provider', CARD)).toMatchObject({
      status: 400,
      code: 'invalid_input',
      message: 'providerName: a store has at most 50 payment providers',
    });
    expect((await store.data('list_payment_providers')).items).toHaveLength(50);
    await store.data('delete_payment_provider', { id });
    await create();
  });

  it('are at most 50, however many are created at once', async () => {
    await fillProviders(app, store);
    const created = await Promise.all(
      Array.from({ length: 8 }, () => store.call('create_payment_provider', CARD)),
    );
    expect(created.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await store.data('list_payment_providers')).items).toHaveLength(50);
  });

  it.each([
    ['', false, null],
    ['1234', true, null],
    ['12345', true, '2345'],
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
    const updated = await store.data(
      'update_payment_provider',
      { id: created.id, ...changes },
      { scope: 'write' },
    );
    expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now().toISOString() });
    expect(await get(created.id)).toEqual(updated);
    expect(await storedMetadata(created.id)).toEqual({ apiKey: 'abcdefgh12345678' });
    clock.advance(1000);
    expect(await store.data('update_payment_provider', { id: created.id })).toEqual(updated);
    expect(await store.data('update_payment_provider', { id: created.id, isTestMode: false })).toMatchObject({
      isTestMode: false,
    });
    expect(
      await store.data('update_payment_provider', { id: created.id, providerToken: 'another-token-9876' }),
    ).toMatchObject({
      tokenHint: '9876',
    });
    expect(await store.data('update_payment_provider', { id: created.id, providerToken: '' })).toMatchObject({
      hasToken: false,
      tokenHint: null,
    });
    expect(await store.data('update_payment_provider', { id: created.id, metadata: {} })).toMatchObject({
      metadata: {},
    });
  });

  it('lets both of two concurrent updates last', async () => {
    const { id } = await create();
    let second: Promise<any>;
    await store.inside(async (ctx) => {
      await app.nest.get(PaymentProviders).update(ctx, { id, isActive: false });
      second = store.data('update_payment_provider', { id, isTestMode: false });
      await waitsForLock(ctx);
    });
    expect(await second!).toMatchObject({ isActive: false, isTestMode: false });
    expect(await get(id)).toMatchObject({ isActive: false, isTestMode: false });
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
        message:
          'id names a provider that a payment_button checkout field manages: edit it through update_checkout',
      });
    }
    expect(await rowOf(id)).toEqual(before);
    const other = await create({ metadata: { source: 'Inline' } });
    expect(await store.data('delete_payment_provider', { id: other.id })).toEqual({
      id: other.id,
      deleted: true,
    });
  });

  it.each([
    ['update_payment_provider', { id: NOWHERE, providerName: 'renamed' }, 'providerName'],
    ['list_payment_providers', { take: 5 }, 'take'],
  ])('%s refuses %j', async (operation, input, name) => {
    expect(await refusal(operation, input)).toEqual({
      status: 400,
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(`^${name} `)),
    });
  });
});
