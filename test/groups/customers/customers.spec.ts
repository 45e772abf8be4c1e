import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { type Answer, ownerQuery, type TestStore, useShop } from '../../support/test-app.js';

const BIG = '9223372036854775807';
const NO_IDS = [
  '',
  'abc',
  '0',
  '-1',
  '007',
  '1.0',
  '1e3',
  ' 1',
  '9223372036854775808',
  '99999999999999999999',
  '٣',
];

const contact = (store: TestStore, shopper: Record<string, unknown> & { id: string }) =>
  store.inside((ctx) => store.app.nest.get(FirstContact).touch(ctx, shopper));

function expectRefusal({ status, body }: Answer, code: string, field: string): void {
  expect(body).toEqual({
    ok: false,
    error: { code, message: expect.stringMatching(new RegExp(`^${field}\\b`)) },
  });
  expect(status).toBe(code === 'not_found' ? 404 : 400);
}

describe('customers', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  describe('get_customer', () => {
    it('returns the whole record, with an id beyond 2^53', async () => {
      await contact(store, { id: BIG, firstName: 'Olena', username: 'olena' });
      const { status, body } = await store.call('get_customer', { id: BIG }, { scope: 'read' });
      expect(status).toBe(200);
      expect(body.data).toEqual({
        id: BIG,
        username: 'olena',
        firstName: 'Olena',
        lastName: null,
        isBotBlocked: false,
        isBanned: false,
        bonusBalance: 0,
        bonusOwed: 0,
        orderCount: 0,
        totalSpent: 0,
        referrerId: null,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: body.data.createdAt,
        lastSeenAt: body.data.createdAt,
      });
    });

    it.each(NO_IDS.filter((id) => id !== ''))('answers not_found for %j', async (id) => {
      expectRefusal(await store.call('get_customer', { id }), 'not_found', 'Customer');
      expectRefusal(await store.call('update_customer', { id, isBanned: true }), 'not_found', 'Customer');
      expectRefusal(await store.call('adjust_bonus', { customerId: id, delta: 1 }), 'not_found', 'Customer');
    });

    it('counts orders that are not cancelled and what was paid', async () => {
      const shop = await app.store();
      const { productId } = await shop.product({ price: '10' });
      const items = [{ productId, quantity: 1 }];
      await shop.data('update_invoice_field_config', { maxTipAmount: 500 });
      const pending = await shop.place({ items, tipAmount: 5 }, { id: '7' });
      const paid = await shop.place({ items, tipAmount: 23 }, { id: '7' }, true);
      await shop.place({ items }, { id: '8' }, true);
      expect(await shop.data('get_customer', { id: '7' })).toMatchObject({ orderCount: 2, totalSpent: 1023 });
      await shop.data('set_order_status', { orderId: pending.id, status: 'DELIVERED' });
      expect(await shop.data('get_customer', { id: '7' })).toMatchObject({ orderCount: 2, totalSpent: 2028 });
      await shop.data('set_order_status', { orderId: paid.id, status: 'CANCELLED' });
      const { items: page } = await shop.data('list_customers', { search: undefined });
      expect(page.map(({ id, orderCount, totalSpent }: any) => [id, orderCount, totalSpent])).toEqual([
        ['7', 1, 1005],
        ['8', 1, 1000],
      ]);
    });
  });

  describe('list_customers', () => {
    const ids = ['1', '2', '10', '11', '9007199254740993', '9007199254740994', BIG];

    it('walks all by id, the cursor is the last id', async () => {
      const shop = await app.store();
      for (const id of [...ids].reverse()) await contact(shop, { id, firstName: 'Kim' });
      for (const search of [undefined, 'kim']) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await shop.data('list_customers', { take: 3, cursor, search }, { scope: 'read' });
          seen.push(...page.items.map(({ id }: any) => id));
          if (page.nextCursor) expect(page.nextCursor).toBe(page.items[2].id);
          cursor = page.nextCursor ?? undefined;
        } while (cursor);
        expect(seen).toEqual(ids);
      }
    });

    it.each(NO_IDS)('refuses the cursor %j', async (cursor) => {
      expectRefusal(await store.call('list_customers', { cursor }), 'invalid_input', 'cursor');
    });

    it.each([
      ['take', 0],
      ['take', 101],
      ['take', 1.5],
      ['take', '5'],
      ['search', ''],
      ['search', null],
      ['search', 'x'.repeat(201)],
      ['search', 5],
    ])('refuses %s %j', async (field, value) => {
      expectRefusal(await store.call('list_customers', { [field]: value }), 'invalid_input', field);
    });

    it('accepts the bounds of take and search', async () => {
      for (const input of [{ take: 1 }, { take: 100 }, { search: 'x' }, { search: '😀'.repeat(200) }]) {
        expect((await store.call('list_customers', input)).status).toBe(200);
      }
    });
  });

  describe('search', () => {
    const people = [
      { id: '1', firstName: 'Олена', lastName: 'Ковальчук', username: 'olena_k' },
      { id: '2', firstName: 'Weiß', lastName: '王伟', username: null },
      { id: '3', firstName: 'Ανδρέας', lastName: '100% Real', username: 'back\\slash' },
      { id: '4', firstName: 'Zoe\u0308', lastName: null, username: 'olenaxk' },
      { id: '5', firstName: 'İpek', lastName: 'Ünal', username: 'ipek' },
    ];
    let shop: TestStore;

    beforeAll(async () => {
      shop = await app.store();
      for (const person of people) await contact(shop, person);
    });

    it.each([
      ['олЕНА', ['1']],
      ['КОВАЛЬ', ['1']],
      ['OLENA', ['1', '4']],
      ['olena_', ['1']],
      ['%', []],
      ['_', []],
      ['\\', []],
      ['0%', []],
      ['00%', ['3']],
      ['k\\s', ['3']],
      ['%%', []],
      ['王', ['2']],
      ['王伟', ['2']],
      ['WEISS', ['2']],
      ['ΑΝΔΡΈΑΣ', ['3']],
      ['zoë', ['4']],
      ['ÜNAL', ['5']],
      ['real', ['3']],
      ['d r', []],
      ['елена', []],
      ["' or true --", []],
      ['olenaolena', []],
      ['@olena_k', ['1']],
      ['@OLENA', ['1', '4']],
      ['@lena', []],
      ['@', ['1', '3', '4', '5']],
      ['Олена Ковальчук', ['1']],
      ['ковальчук  олена', ['1']],
      ['олена ünal', []],
      ['İpek @ipek', ['5']],
      ['IPEK', ['5']],
    ])('finds %j', async (search, found) => {
      const { items } = await shop.data('list_customers', { search });
      expect(items.map(({ id }: any) => id)).toEqual(found);
    });

    it('follows every change of a name', async () => {
      const search = async (text: string) =>
        (await shop.data('list_customers', { search: text })).items.length;
      await contact(shop, { id: '9', firstName: 'Early', lastName: 'Bird' });
      await contact(shop, { id: '9', username: 'LateOwl', firstName: null });
      expect([await search('EARLY'), await search('bird'), await search('lateowl')]).toEqual([1, 1, 1]);
      await contact(shop, { id: '9', firstName: 'Later\nTwo' });
      expect([await search('early'), await search('bird'), await search('later two')]).toEqual([0, 1, 1]);
      await shop.data('update_customer', { id: '9', lastName: null, username: 'Şahin' });
      expect([
        await search('bird'),
        await search('lateowl'),
        await search('ŞAHİN'.slice(0, 3)),
        await search('later'),
      ]).toEqual([0, 0, 1, 1]);
    });

    it('finds customers far along the ids, in order and after a cursor', async () => {
      const large = await app.store();
      await ownerQuery(
        `insert into customers (store_id, id, first_name, created_at, updated_at)
         select $1, g * 10, case when g % 900 = 0 then 'Rare' else 'Plain' end, now(), now()
           from generate_series(1, 5000) g`,
        [large.id],
      );
      await large.index();
      const page = async (input: object) => {
        const { items, nextCursor } = await large.data('list_customers', { search: 'RARE', ...input });
        return [items.map(({ id }: any) => id), nextCursor];
      };
      expect(await page({})).toEqual([['9000', '18000', '27000', '36000', '45000'], null]);
      expect(await page({ take: 1 })).toEqual([['9000'], '9000']);
      expect(await page({ take: 3 })).toEqual([['9000', '18000', '27000'], '27000']);
      expect(await page({ take: 2, cursor: '27000' })).toEqual([['36000', '45000'], null]);
      expect(await page({ search: 'ra', cursor: '9000' })).toEqual([
        ['18000', '27000', '36000', '45000'],
        null,
      ]);
      expect(await page({ search: 'rarer' })).toEqual([[], null]);
    });
  });

  describe('update_customer', () => {
    const text = (max: number) => ({
      accepted: ['x', 'x'.repeat(max), '😀'.repeat(max), null],
      refused: ['', 'x'.repeat(max + 1), 5, {}],
    });
    const flag = { accepted: [true, false], refused: [null, 'true', 1] };
    const fields = {
      username: text(64),
      firstName: text(128),
      lastName: text(128),
      isBotBlocked: flag,
      isBanned: flag,
    };
    const rows = (side: 'accepted' | 'refused') =>
      Object.entries(fields).flatMap(([field, values]) =>
        values[side].map((value) => [field, value] as const),
      );

    it.each(rows('accepted'))('saves %s %j and nothing else', async (field, value) => {
      await contact(store, { id: '100', firstName: 'A', lastName: 'B', username: 'c' });
      const before = await store.data('get_customer', { id: '100' });
      const after = await store.data('update_customer', { id: '100', [field]: value }, { scope: 'write' });
      expect(after).toEqual({ ...before, [field]: value, updatedAt: after.updatedAt });
      expect(await store.data('get_customer', { id: '100' })).toEqual(after);
    });

    it.each(rows('refused'))('refuses %s %j', async (field, value) => {
      await contact(store, { id: '101', firstName: 'A' });
      const before = await store.data('get_customer', { id: '101' });
      expectRefusal(
        await store.call('update_customer', { id: '101', [field]: value }),
        'invalid_input',
        field,
      );
      expect(await store.data('get_customer', { id: '101' })).toEqual(before);
    });

    it('refuses an update without a field', async () => {
      expectRefusal(
        await store.call('update_customer', { id: '100' }),
        'invalid_input',
        'username: at least one of',
      );
      expectRefusal(await store.call('update_customer', { isBanned: true }), 'invalid_input', 'id');
      expectRefusal(
        await store.call('update_customer', { id: '100', bonusBalance: 5 }),
        'invalid_input',
        'bonusBalance',
      );
    });

    it('is audited with before and after', async () => {
      await contact(store, { id: '102', firstName: 'Old' });
      await store.data('update_customer', {
        id: '102',
        firstName: 'New',
        isBanned: true,
        isBotBlocked: false,
      });
      const [row] = await ownerQuery<any>(
        `select * from audit_log where store_id = $1 and target = 'customer:102'`,
        [store.id],
      );
      expect(row).toMatchObject({
        operation: 'update_customer',
        changes: { firstName: ['Old', 'New'], isBanned: [false, true] },
      });
      expect(Object.keys(row.changes)).toEqual(['firstName', 'isBanned']);
    });

    it('keeps concurrent changes of different fields', async () => {
      await contact(store, { id: '103' });
      const inputs = [
        { firstName: 'F' },
        { lastName: 'L' },
        { username: 'u' },
        { isBanned: true },
        { isBotBlocked: true },
      ];
      await Promise.all(inputs.map((input) => store.data('update_customer', { id: '103', ...input })));
      expect(await store.data('get_customer', { id: '103' })).toMatchObject(Object.assign({}, ...inputs));
      expect(
        (await store.data('list_customers', { search: 'f' })).items.some(({ id }: any) => id === '103'),
      ).toBe(true);
    });
  });
});
