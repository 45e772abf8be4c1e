import { BonusLedger } from '../../../src/groups/customers/bonus-ledger.service.js';
import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { ownerQuery, type TestStore, useShop } from '../../support/test-app.js';

const entries = (store: TestStore, customerId: string) =>
  ownerQuery<any>(`select * from bonus_entries where store_id = $1 and customer_id = $2 order by id`, [
    store.id,
    customerId,
  ]);

describe('adjust_bonus', () => {
  let store: TestStore;
  let next = 1000;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  async function customer(balance?: number): Promise<string> {
    const id = String(++next);
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }));
    if (balance !== undefined) await store.data('adjust_bonus', { customerId: id, delta: balance });
    return id;
  }
  const balanceOf = async (id: string) => (await store.data('get_customer', { id })).bonusBalance;

  it('credits and debits exactly, a row each', async () => {
    const customerId = await customer();
    const balances = [];
    for (const delta of [0.1, 0.2, -0.3, 12.34, -2.34, 1_000_000_000_000]) {
      balances.push(
        await store.data('adjust_bonus', { customerId, delta, reason: `by ${delta}` }, { scope: 'write' }),
      );
    }
    expect(balances).toEqual([
      { customerId, delta: 0.1, balance: 0.1 },
      { customerId, delta: 0.2, balance: 0.3 },
      { customerId, delta: -0.3, balance: 0 },
      { customerId, delta: 12.34, balance: 12.34 },
      { customerId, delta: -2.34, balance: 10 },
      { customerId, delta: 1_000_000_000_000, balance: 1_000_000_000_010 },
    ]);
    const rows = await entries(store, customerId);
    expect(
      rows.map(({ delta, balance_after, kind, reason }) => [delta, balance_after, kind, reason]).slice(0, 3),
    ).toEqual([
      ['0.10', '0.10', 'adjustment', 'by 0.1'],
      ['0.20', '0.30', 'adjustment', 'by 0.2'],
      ['-0.30', '0.00', 'adjustment', 'by -0.3'],
    ]);
    expect(await balanceOf(customerId)).toBe(1_000_000_000_010);
  });

  it.each<[string, unknown]>([
    ['delta', 0],
    ['delta', -0],
    ['delta', 0.001],
    ['delta', 1e-9],
    ['delta', 10.005],
    ['delta', 1_000_000_000_000.01],
    ['delta', -1_000_000_000_001],
    ['delta', 1e300],
    ['delta', '5'],
    ['delta', null],
    ['delta', undefined],
    ['delta', -5.01],
    ['reason', ''],
    ['reason', 'x'.repeat(501)],
    ['reason', null],
    ['reason', 7],
    ['customerId', 7],
    ['customerId', null],
    ['customerId', undefined],
  ])('refuses %s %j and changes nothing', async (field, value) => {
    const customerId = await customer(5);
    const { status, body } = await store.call('adjust_bonus', { customerId, delta: 1, [field]: value });
    expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
    expect(body.error?.message).toMatch(new RegExp(`^${field}\\b`));
    expect(await balanceOf(customerId)).toBe(5);
    expect(await entries(store, customerId)).toHaveLength(1);
  });

  it.each(['x', 'x'.repeat(500), '😀'.repeat(500)])('accepts the reason %j', async (reason) => {
    const customerId = await customer(5);
    await store.data('adjust_bonus', { customerId, delta: -5, reason });
    expect((await entries(store, customerId))[1]).toMatchObject({ reason, balance_after: '0.00' });
  });

  it('does not let the balance outgrow exact numbers', async () => {
    const customerId = await customer();
    await ownerQuery(`update customers set bonus_balance = 89999999999999 where store_id = $1 and id = $2`, [
      store.id,
      customerId,
    ]);
    expect((await store.call('adjust_bonus', { customerId, delta: 1.01 })).body.error?.message).toMatch(
      /^delta must not .* above/,
    );
    expect(await store.data('adjust_bonus', { customerId, delta: 1 })).toMatchObject({
      balance: 90_000_000_000_000,
    });
  });

  it('is audited with delta and reason', async () => {
    const customerId = await customer();
    await store.data('adjust_bonus', { customerId, delta: 2.5, reason: 'Sorry for the wait' });
    await store.call('adjust_bonus', { customerId, delta: -3 });
    const rows = await ownerQuery<any>(`select * from audit_log where store_id = $1 and target = $2`, [
      store.id,
      `customer:${customerId}`,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      operation: 'adjust_bonus',
      input: { customerId, delta: 2.5, reason: 'Sorry for the wait' },
    });
  });

  it('counts each of 100 concurrent changes', async () => {
    const customerId = await customer(1);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        store.data('adjust_bonus', { customerId, delta: i % 2 ? 0.07 : 1.11 }),
      ),
    );
    expect(new Set(answers.map(({ balance }) => balance)).size).toBe(100);
    expect(await balanceOf(customerId)).toBe(60);
    const rows = await entries(store, customerId);
    expect(rows).toHaveLength(101);
  });

  it('never goes below zero, however many debits come at once', async () => {
    const customerId = await customer(10);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => store.call('adjust_bonus', { customerId, delta: -3 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(27);
    expect(await balanceOf(customerId)).toBe(1);
  });

  it('is undone with the transaction it was in', async () => {
    const customerId = await customer(1);
    const failed = store.inside(async (ctx) => {
      await app.nest.get(BonusLedger).post(ctx, { customerId, delta: '5.00', kind: 'refund' });
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await balanceOf(customerId)).toBe(1);
    expect(await entries(store, customerId)).toHaveLength(1);
  });
});
