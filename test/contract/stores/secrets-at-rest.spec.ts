import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { StorePage } from '../../doors/dashboard/browser.js';
import { EXAMPLES, SECRETS } from '../../support/examples.js';
import { fillProviders } from '../../support/database/fill-providers.js';
import { storeDump } from '../../support/database/store-dump.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const WITH_SECRETS = ['create_payment_provider', 'update_payment_provider', 'update_checkout', 'connect_bot'];

const button = (values: object) => ({
  id: 'pay',
  label: 'Pay',
  type: 'payment_button',
  required: true,
  defaultVisible: true,
  ...values,
});

describe('a secret given to an operation', () => {
  let store: TestStore;

  const { app } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store();
  });

  /** Every row the store has, and the answers kept for repeats as they are answered. */
  const everything = async () => {
    const kept = await app.query<{ answer: Buffer }>(
      'select answer from idempotency_keys where store_id = $1',
      [store.id],
    );
    const answers = kept.map(({ answer }) => gunzipSync(answer).toString());
    return JSON.stringify([await storeDump(app, store.id), answers]);
  };
  const found = async (secrets: string[], ...answers: unknown[]) => {
    const text = (await everything()) + JSON.stringify(answers);
    return secrets.filter((secret) => text.includes(secret));
  };
  const update = (fields: object[]) => store.data('update_checkout', { fields });
  const contentOf = async (id = 'pay') =>
    (await store.data('get_checkout')).fields.find((field: { id: string }) => field.id === id)
      .content as string;

  it.each(WITH_SECRETS)('by %s is in no row, no answer and no repeated answer', async (name) => {
    const input = await EXAMPLES[name](store);
    const given = SECRETS.filter((secret) => JSON.stringify(input).includes(secret));
    expect(given.length).toBeGreaterThan(0);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await store.call(name, input, { headers });
    const second = await store.call(name, input, { headers });
    expect([first.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect(await found(given, first.body, second.body)).toEqual([]);
  });

  it('comes back masked from a payment button, at every door', async () => {
    const secrets = ['plain-settings-0001', 'json-token-0002', 'nested-secret-0003'];
    const saved = await update([
      button({ id: 'a', content: 'plain-settings-0001', placeholder: 'shown' }),
      button({
        id: 'b',
        content: '{"providerToken":"json-token-0002","keyId":"k-1","deep":[{"secret":"nested-secret-0003"}]}',
      }),
      button({ id: 'c', content: '' }),
    ]);
    const owner = await StorePage.ofOwner(store);
    const shown = await owner.data('POST', 'operations/get_checkout', {});
    expect(saved.fields.map(({ content }: { content: string }) => content)).toEqual([
      '••••0001',
      '{"providerToken":"••••0002","keyId":"k-1","deep":[{"secret":"••••0003"}]}',
      '',
    ]);
    expect(shown).toEqual(saved);
    expect(await store.data('get_checkout', {}, { scope: 'read' })).toEqual(saved);
    expect(await found(secrets, saved, shown, await owner.data('GET', 'audit'))).toEqual([]);
  });

  it('keeps its value when its mask comes back, and is replaced by another', async () => {
    const settings = async () => {
      const [{ sealedToken }] = await providers();
      return sealedToken;
    };
    const providers = async () => {
      await saveOnDashboard();
      const { items } = await store.data('list_payment_providers');
      return items.map((item: any) => ({ sealedToken: item.tokenHint, keyId: item.metadata.keyId }));
    };
    const saveOnDashboard = async () => {
      const owner = await StorePage.ofOwner(store);
      const { fields } = await store.data('get_checkout');
      await owner.data('POST', 'operations/update_checkout', { fields });
    };
    await update([button({ content: '{"providerToken":"json-token-0002","keyId":"k-1"}' })]);
    expect(await settings()).toBe('0002');
    const [field] = (await store.data('get_checkout')).fields;
    await update([{ ...field, label: 'Pay now', content: field.content.replace('k-1', 'k-2') }]);
    expect(await providers()).toEqual([{ sealedToken: '0002', keyId: 'k-2' }]);
    await update([{ ...field, content: '{"providerToken":"json-token-0009","keyId":"k-2"}' }]);
    expect(await settings()).toBe('0009');
  });

  it.each([['••••9999'], ['{"providerToken":"••••9999"}'], ['••••']])(
    'refuses the mask %s of nothing stored',
    async (content) => {
      await update([button({ content: '{"providerToken":"json-token-0002"}' })]);
      const before = await storeDump(app, store.id);
      const { status, body } = await store.call('update_checkout', { fields: [button({ content })] });
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(/^fields\[0\]\.content/);
      expect(await storeDump(app, store.id)).toEqual(before);
    },
  );

  it('is not given to another payment button', async () => {
    await update([button({ id: 'a', content: 'plain-settings-0001' })]);
    const moved = await store.call('update_checkout', { fields: [button({ id: 'b', content: '••••0001' })] });
    expect(moved.status).toBe(400);
  });

  it('is masked whatever its text is: deep JSON is masked as a whole', async () => {
    const content = `${'['.repeat(5_000)}"deep-secret-0004"${']'.repeat(5_000)}`;
    await update([button({ content })]);
    expect(await contentOf()).toBe('••••]]]]');
    expect(await found(['deep-secret-0004'])).toEqual([]);
  });
});

describe('the inline providers of a form', () => {
  let store: TestStore;
  let owner: StorePage;

  const { app } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const save = (fields: object[]) => owner.data('POST', 'operations/update_checkout', { fields });
  const providers = async () => (await store.data('list_payment_providers')).items as any[];

  it('are synced when the dashboard saves the checkout: one a payment_button, gone with it', async () => {
    const settings = {
      providerName: 'Card',
      providerToken: 'tok-12345',
      isTestMode: true,
      supportedCurrencies: ['EUR'],
      keyId: 'k',
    };
    await save([
      button({ id: 'a', content: JSON.stringify(settings) }),
      button({ id: 'b' }),
      button({ id: 'b' }),
    ]);
    const [b, a] = await providers();
    expect(a).toMatchObject({
      providerName: 'Card',
      hasToken: true,
      tokenHint: '2345',
      isTestMode: true,
      isActive: true,
      supportedCurrencies: ['EUR'],
      metadata: { keyId: 'k', source: 'inline', fieldId: 'a' },
    });
    expect(b).toMatchObject({ providerName: 'Pay', hasToken: false, supportedCurrencies: ['USD'] });
    await save([button({ id: 'b', label: 'Pay later' })]);
    expect(await providers()).toMatchObject([{ id: b.id, providerName: 'Pay later' }]);
    await save([]);
    expect(await providers()).toEqual([]);
  });

  it('name their field when its settings are too large, and take no currency that is no text', async () => {
    const large = button({
      id: 'b',
      content: JSON.stringify({ providerName: 'Card', note: 'x'.repeat(17_000) }),
    });
    const { status, body } = await owner.send('POST', 'operations/update_checkout', {
      fields: [button({ id: 'a' }), large],
    });
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'invalid_input',
        message: 'fields[1]: the settings of a payment_button must be at most 16384 bytes of JSON',
        problem: 'bytes_most',
        values: { path: 'fields[1]', most: 16_384 },
      },
    ]);
    expect(await providers()).toEqual([]);
    await save([button({ content: JSON.stringify({ supportedCurrencies: [null, {}, 'EUR'] }) })]);
    expect(await providers()).toMatchObject([{ supportedCurrencies: ['EUR'] }]);
  });

  it('are at most 50 together with the others, also after an undo', async () => {
    await save([button({ id: 'a' }), button({ id: 'b' })]);
    await save([button({ id: 'b' })]);
    const { items } = await store.data('list_activity', { take: 1 });
    await fillProviders(app, store);
    const before = [await store.data('get_checkout'), await providers()];
    const full = 'a store has at most 50 payment providers';
    const saved = await owner.send('POST', 'operations/update_checkout', {
      fields: [button({ id: 'new' }), button({ id: 'b' })],
    });
    expect([saved.status, saved.body.error!.message]).toEqual([400, `fields[0]: ${full}`]);
    const undone = await owner.send('POST', 'operations/undo_change', { activityId: items[0].id });
    expect([undone.status, undone.body.error!.message]).toEqual([412, expect.stringContaining(full)]);
    expect([await store.data('get_checkout'), await providers()]).toEqual(before);
    // One for another one.
    await save([button({ id: 'new' })]);
  });

  it('are not changed by update_checkout over HTTP', async () => {
    await store.data('update_checkout', { fields: [button({})] });
    expect(await providers()).toEqual([]);
    await save([button({})]);
    await store.data('update_checkout', { fields: [] });
    expect(await providers()).toHaveLength(1);
  });

  it('are removed when the checkout is saved, if nothing else can remove them', async () => {
    const input = await EXAMPLES.create_payment_provider(store);
    const stray = await store.data('create_payment_provider', { ...input, metadata: { source: 'inline' } });
    const other = await store.data('create_payment_provider', input);
    expect((await store.call('delete_payment_provider', { id: stray.id })).status).toBe(400);
    await owner.data('POST', 'operations/update_checkout', { mode: 'manual' });
    expect(await providers()).toHaveLength(2);
    await save([]);
    expect((await providers()).map(({ id }) => id)).toEqual([other.id]);
  });
});
