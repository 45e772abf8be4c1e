import { v7 as uuidv7 } from 'uuid';
import { declaredRoutes } from '../../../src/doors/dashboard/dashboard-pages.js';
import { dereferenced } from '../../support/openapi.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

describe('records that only the dashboard shows', () => {
  const clock = new TestClock();
  let store: TestStore;
  let owner: StorePage;
  let orderId: number;

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
  });

  describe('notes of an order', () => {
    it('are listed oldest first, with their authors', async () => {
      await owner.data('POST', 'operations/add_order_note', { orderId, note: 'call first' });
      clock.advance(1000);
      await store.data('add_order_note', { orderId, note: 'called' });
      const { items, nextCursor } = await owner.data('GET', `orders/${orderId}/notes`);
      expect(items).toEqual([
        {
          id: expect.any(String),
          text: 'call first',
          author: store.ownerEmail,
          createdAt: expect.any(String),
        },
        {
          id: expect.any(String),
          text: 'called',
          author: 'test admin',
          createdAt: clock.now().toISOString(),
        },
      ]);
      expect(nextCursor).toBeNull();
    });

    it('can be deleted by their author for five minutes', async () => {
      const add = async (note: string) =>
        (await owner.data('POST', 'operations/add_order_note', { orderId, note })).note.id as string;
      const note = (id: string) => `orders/${orderId}/notes/${id}`;
      const [typo, old] = [await add('cal first'), await add('called')];
      expect(await owner.data('DELETE', note(typo))).toEqual({ id: typo, deleted: true });
      expect(await owner.send('DELETE', note(typo))).toMatchObject(refusal(404, 'not_found'));
      const texts = async () =>
        (await owner.data('GET', `orders/${orderId}/notes`)).items.map(({ text }: any) => text);
      expect(await texts()).toEqual(['called']);
      const [row] = (await owner.data('GET', 'audit?operation=order.delete_note')).items;
      expect(row).toMatchObject({
        target: `order:${orderId}`,
        changes: { note: ['cal first', null] },
        outcome: 'ok',
      });
      const { entries } = await store.data('get_order_timeline', { orderId });
      expect(entries.map(({ text }: any) => text)).toContain('A note was deleted');
      clock.advance(5 * 60_000);
      const young = await add('called twice');
      expect((await owner.send('DELETE', note(young))).status).toBe(200);
      clock.advance(1);
      const late = await owner.send('DELETE', note(old));
      expect(late).toMatchObject(refusal(400, 'invalid_input'));
      expect(late.body.error!.message).toBe('id names a note that is older than 5 minutes: it stays');
      expect(await texts()).toEqual(['called']);
    });

    it('cannot be deleted by other authors, or for other orders or stores', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const { note: theirs } = await staff.data('POST', 'operations/add_order_note', {
        orderId,
        note: 'mine',
      });
      const { note: tokens } = await store.data('add_order_note', { orderId, note: 'by token' });
      for (const { id } of [theirs, tokens]) {
        expect(await owner.send('DELETE', `orders/${orderId}/notes/${id}`)).toMatchObject(
          refusal(403, 'forbidden'),
        );
      }
      const other = await StorePage.ofOwner(await app.store());
      expect(await other.send('DELETE', `orders/${orderId}/notes/${theirs.id}`)).toMatchObject(
        refusal(404, 'not_found'),
      );
      for (const path of [
        `orders/${orderId + 1}/notes/${theirs.id}`,
        `orders/x/notes/${theirs.id}`,
        `orders/${orderId}/notes/x`,
      ]) {
        expect(await staff.send('DELETE', path)).toMatchObject(refusal(404, 'not_found'));
      }
      // Of a note from before its author was kept nobody knows whose it is.
      await app.query(`update order_notes set author_kind = null, author_id = null where id = $1`, [
        theirs.id,
      ]);
      expect(await staff.send('DELETE', `orders/${orderId}/notes/${theirs.id}`)).toMatchObject(
        refusal(403, 'forbidden'),
      );
      expect((await owner.data('GET', `orders/${orderId}/notes`)).items).toHaveLength(2);
    });

    it('are not visible to another store', async () => {
      const other = await StorePage.ofOwner(await app.store());
      for (const id of [orderId, 0, -1, 'x', '1.0', '1e3', '99999999999999999999', '9007199254740992']) {
        expect(await other.send('GET', `orders/${id}/notes`)).toMatchObject(refusal(404, 'not_found'));
      }
    });
  });

  it('what other systems know an order and a customer by is there for its store only', async () => {
    const { customerId } = (await store.data('find_orders', { take: 1 })).items[0];
    await store.data('set_order_reference', { orderId, externalId: 'SO-1', metadata: { shelf: 'B2' } });
    expect(await owner.data('GET', `orders/${orderId}/reference`)).toEqual({
      ...{ orderId, externalId: 'SO-1', metadata: { shelf: 'B2' } },
    });
    expect(await owner.data('GET', `customers/${customerId}/reference`)).toEqual({
      ...{ id: customerId, externalId: null, metadata: null },
    });
    const other = await StorePage.ofOwner(await app.store());
    for (const path of [`orders/${orderId}`, `customers/${customerId}`, 'orders/x', 'customers/x'])
      expect(await other.send('GET', `${path}/reference`)).toMatchObject(refusal(404, 'not_found'));
  });

  describe('operations', () => {
    it('answer as the API does', async () => {
      const here = await owner.send('POST', 'operations/get_order', { orderId });
      const there = await store.call('get_order', { orderId });
      expect([here.status, here.body]).toEqual([there.status, there.body]);
      expect(here.headers.get('ratelimit-limit')).toBe('100000');
      const bad = await owner.send('POST', 'operations/get_order', { orderId: '1' });
      const { ok, error } = (await store.call('get_order', { orderId: '1' })).body;
      // Pages word a refusal by its problem; the API has code and message alone.
      const values = { path: 'orderId', above: 0 };
      expect(bad.body).toEqual({ ok, error: { ...error, problem: 'integer', values } });
      expect(bad.status).toBe(400);
    });

    it('run as the user, and are audited as such', async () => {
      const { order } = await owner.data('POST', 'operations/set_order_status', {
        orderId,
        status: 'PROCESSING',
      });
      expect(order.status).toBe('PROCESSING');
      const { items } = await owner.data('GET', 'audit');
      expect(items).toMatchObject([
        {
          operation: 'set_order_status',
          transport: 'dashboard',
          target: `order:${orderId}`,
          actor: { kind: 'user', name: store.ownerEmail },
          input: { orderId, status: 'PROCESSING' },
          outcome: 'ok',
        },
      ]);
    });

    it('are refused with unknown_tool if their name is unknown', async () => {
      for (const name of ['nothing', 'GET_ORDER', '__proto__', 'constructor']) {
        expect(await owner.send('POST', `operations/${name}`, {})).toMatchObject(
          refusal(404, 'unknown_tool'),
        );
      }
    });

    it("do not reach other stores' records", async () => {
      const other = await StorePage.ofOwner(await app.store());
      expect(await other.send('POST', 'operations/get_order', { orderId })).toMatchObject(
        refusal(404, 'not_found'),
      );
    });
  });

  describe('the audit log', () => {
    it('names records as they are now, or were when they were deleted', async () => {
      const brand = await store.data('create_brand', { name: 'Early', slug: 'named' });
      await store.data('update_brand', { id: brand.id, name: 'Late' });
      const category = await store.data('create_category', { name: 'Cups', slug: 'named' });
      await store.data('delete_category', { id: category.id, confirm: true });
      const product = await store.product();
      await store.place(
        { items: [{ productId: product.productId, quantity: 1 }] },
        { id: '77', firstName: 'Olena', lastName: 'K' },
      );
      await store.data('adjust_bonus', { customerId: '77', delta: 1 });
      const given = { optionTitle: 'Size', variantValue: 'M', price: 5 };
      const variant = await store.data('create_variant', { productId: product.id, ...given });
      await store.data('update_variant', { id: variant.id, price: 6 });
      await store.data('set_order_status', { orderId, status: 'PROCESSING' });
      const { items } = await owner.data('GET', 'audit?take=50');
      const named = (operation: string) =>
        items.find((row: { operation: string }) => row.operation === operation).label;
      expect(
        ['create_brand', 'delete_category', 'adjust_bonus', 'update_variant', 'set_order_status'].map(named),
      ).toEqual([
        ...['Late', 'category Cups', 'Olena K', `${product.productId}, Size M`],
        expect.stringMatching(`^Order ${orderId}, `),
      ]);
    });

    it('shows whole rows, newest first, in pages', async () => {
      for (const status of ['PROCESSING', 'SHIPPED', 'DELIVERED'])
        await store.data('set_order_status', { orderId, status });
      const first = await owner.data('GET', 'audit?take=2');
      const second = await owner.data('GET', `audit?take=2&cursor=${first.nextCursor}`);
      expect([...first.items, ...second.items].map(({ input }) => input.status)).toEqual([
        'DELIVERED',
        'SHIPPED',
        'PROCESSING',
      ]);
      expect(second.nextCursor).toBeNull();
      expect(Object.keys(first.items[0])).toEqual([
        'id',
        'at',
        'actor',
        'operation',
        'transport',
        'action',
        'target',
        'label',
        'targetKind',
        'input',
        'changes',
        'outcome',
        'requestId',
      ]);
      expect(first.items[0]).toMatchObject({
        at: clock.now().toISOString(),
        actor: { kind: 'token', id: store.tokenIds.admin, name: 'test admin' },
        transport: 'http',
        requestId: expect.any(String),
      });
    });

    it('can be searched by operation and by target', async () => {
      await store.data('set_order_status', { orderId, status: 'PROCESSING' });
      await store.data('add_order_note', { orderId, note: 'x' });
      await owner.data('POST', 'tokens', { name: 'x', scope: 'read' });
      const operations = async (query: string) =>
        (await owner.data('GET', `audit?${query}`)).items.map(
          ({ operation }: { operation: string }) => operation,
        );
      expect(await operations('operation=add_order_note')).toEqual(['add_order_note']);
      expect(await operations(`target=${orderId}`)).toEqual(['add_order_note', 'set_order_status']);
      expect(await operations(`target=order:${orderId}`)).toEqual(['add_order_note', 'set_order_status']);
      expect(await operations(`target=customer:${orderId}`)).toEqual([]);
      expect(await operations(`target=${orderId}&operation=set_order_status`)).toEqual(['set_order_status']);
      expect(await operations('operation=nothing')).toEqual([]);
    });

    it('can be filtered by an actor from the list of its actors', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      await store.data('add_order_note', { orderId, note: 'x' });
      for (const page of [owner, staff, owner]) {
        await page.data('POST', 'operations/add_order_note', { orderId, note: 'x' });
      }
      const { items } = await owner.data('GET', 'audit/actors');
      const own = (await staff.data('GET', 'audit/actors')).items;
      expect(own.map(({ name }: any) => name)).toEqual([staff.email]);
      const people = [store.ownerEmail, staff.email].sort();
      const named = (kind: string) =>
        items.filter((one: any) => one.kind === kind).map(({ name }: any) => name);
      expect(named('user')).toEqual(people);
      expect(named('token')).toEqual(['test admin', 'test read', 'test write']);
      const counts = items.map(async ({ id }: any) => {
        const rows = (await owner.data('GET', `audit?operation=add_order_note&actorId=${id}`)).items;
        expect(rows.every(({ actor }: any) => actor.id === id)).toBe(true);
        return rows.length;
      });
      expect((await Promise.all(counts)).sort()).toEqual([0, 0, 1, 1, 2]);
      const other = await StorePage.ofOwner(await app.store());
      expect((await other.data('GET', 'audit/actors')).items.some(({ kind }: any) => kind === 'user')).toBe(
        false,
      );
    });

    it('shows a member of staff what list_activity would', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      for (const page of [owner, staff])
        await page.data('POST', 'operations/add_order_note', { orderId, note: 'x' });
      const shown = (await staff.data('GET', 'audit')).items.map(({ id }: any) => id);
      const listed = (await staff.data('POST', 'operations/list_activity', {})).items;
      expect(shown).toEqual(listed.map(({ id }: any) => id));
      expect(shown).toHaveLength(1);
      const [{ actor }] = (await owner.data('GET', 'audit?operation=member.invite')).items;
      expect((await staff.data('GET', `audit?actorId=${actor.id}`)).items).toEqual([]);
      await owner.data('PUT', `members/${staff.userId}`, { groups: ['brands'] });
      expect((await staff.data('GET', 'audit')).items).toEqual([]);
    });

    it('distinguishes records of different kinds with the same id', async () => {
      await store.data('set_order_status', { orderId, status: 'PROCESSING' });
      const shopper = { id: String(orderId) };
      const { productId } = await store.product();
      const other = await store.place({ items: [{ productId, quantity: 1 }] }, shopper);
      await store.data('update_customer', { id: shopper.id, isBanned: true });
      const rows = async (query: string) =>
        (await owner.data('GET', `audit?${query}`)).items.map(
          ({ operation, targetKind }: Record<string, string>) => `${operation} ${targetKind}`,
        );
      expect(await rows(`target=${orderId}`)).toEqual(['update_customer customer', 'set_order_status order']);
      expect(await rows(`target=customer:${orderId}`)).toEqual(['update_customer customer']);
      expect(await rows(`target=${orderId}&targetKind=order`)).toEqual(['set_order_status order']);
      expect(await rows(`target=${orderId}&targetKind=customer`)).toEqual(['update_customer customer']);
      expect(await rows(`target=order:${orderId}&targetKind=customer`)).toEqual([]);
      expect(await rows('targetKind=customer')).toEqual(['update_customer customer']);
      expect(await rows('targetKind=order')).toEqual(['set_order_status order']);
      expect(await rows('targetKind=cust')).toEqual([]);
      // As an earlier version wrote them.
      await app.query('update audit_log set target = $2 where store_id = $1 and target = $3', [
        store.id,
        String(orderId),
        `order:${orderId}`,
      ]);
      expect(await rows(`target=order:${orderId}`)).toEqual(['set_order_status null']);
      expect(await rows(`targetKind=${orderId}`)).toEqual([]);
      expect(await rows(`target=order:${other.id}`)).toEqual([]);
    });

    it('can be searched by actor, outcome and time, in pages', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      await store.data('add_order_note', { orderId, note: 'by a token' });
      const before = clock.now();
      clock.advance(60_000);
      await staff.data('POST', 'operations/add_order_note', { orderId, note: 'by staff' });
      await staff.send('POST', 'operations/delete_order', { orderId, confirm: true });
      const rows = async (query: string) => (await owner.data('GET', `audit?${query}`)).items;
      const operations = async (query: string) =>
        (await rows(query)).map(({ operation }: { operation: string }) => operation);
      const byStaff = ['delete_order', 'add_order_note'];
      expect((await operations(`actorId=${staff.userId}`)).slice(0, 2)).toEqual(byStaff);
      expect(await operations(`actorId=${store.tokenIds.admin}`)).toEqual(['add_order_note']);
      expect(await operations(`actorId=${uuidv7()}`)).toEqual([]);
      expect(await operations('outcome=forbidden')).toEqual(['delete_order']);
      expect(await operations(`outcome=forbidden&actorId=${store.tokenIds.admin}`)).toEqual([]);
      expect(await operations(`outcome=ok&actorId=${staff.userId}&operation=add_order_note`)).toEqual([
        'add_order_note',
      ]);
      expect(await operations(`from=${clock.now().toISOString()}`)).toEqual(byStaff);
      expect(await operations(`to=${before.toISOString()}&actorId=${store.tokenIds.admin}`)).toEqual([
        'add_order_note',
      ]);
      expect(
        await operations(`to=${new Date(before.getTime() - 1).toISOString()}&operation=add_order_note`),
      ).toEqual([]);
      const first = await owner.data('GET', `audit?actorId=${staff.userId}&take=1`);
      const second = await owner.data(
        'GET',
        `audit?actorId=${staff.userId}&take=1&cursor=${first.nextCursor}`,
      );
      expect([first, second].map(({ items }) => items[0].operation)).toEqual(byStaff);
    });

    it('is of this store only', async () => {
      await store.data('set_order_status', { orderId, status: 'PROCESSING' });
      const other = await StorePage.ofOwner(await app.store());
      const { items } = await owner.data('GET', 'audit');
      expect((await other.data('GET', 'audit')).items).toEqual([]);
      const { items: beyond } = await other.data(
        'GET',
        `audit?cursor=${Buffer.from(JSON.stringify([uuidv7()])).toString('base64url')}`,
      );
      expect([items.length, beyond]).toEqual([1, []]);
    });

    it.each([
      'operation=',
      `operation=${'x'.repeat(101)}`,
      'target=',
      'targetKind=',
      'actorId=',
      'outcome=failed',
      'from=today',
      'to=2026-02-30T00:00:00Z',
      'cursor=abc',
      'take=x',
      'actor=me',
    ])('refuses %s', async (query) => {
      const answer = await owner.send('GET', `audit?${query}`);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(query.split('=')[0])).toBe(true);
    });
  });
});

describe('the description of the dashboard', () => {
  let written: any;
  let document: any;

  const app = useShop({ env: { BASE_URL: 'https://shop.example' } });
  beforeAll(async () => {
    written = await (await fetch(`${app.url}/dashboard/openapi.json`)).json();
    document = dereferenced(written);
  });

  const operations = (): [string, any][] =>
    Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, any] => [`${method} ${path}`, operation]),
    );

  it('is an OpenAPI 3.1 document that declares the session cookie', () => {
    expect(written).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://shop.example' }],
      security: [{ session: [] }],
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-shop_session' } },
      },
    });
    expect(operations()).toHaveLength(declaredRoutes().length + 1);
  });

  it('declares every parameter of every path', () => {
    for (const [name, { parameters, responses }] of operations()) {
      const inPath = parameters
        .filter((parameter: any) => parameter.in === 'path')
        .map((parameter: any) => parameter.name);
      expect([name, inPath]).toEqual([
        name,
        [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      ]);
      const changed = parameters.some((parameter: any) => parameter.name === 'If-Match') ? ['412'] : [];
      expect(Object.keys(responses)).toEqual([
        '200',
        '400',
        '401',
        '403',
        '404',
        ...changed,
        '429',
        '500',
        '503',
      ]);
    }
  });

  it('describes queries, bodies and answers from the DTO classes', () => {
    const { get, post } = document.paths['/dashboard/api/stores/{storeId}/tokens'];
    expect(post['x-access']).toBe('owner');
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['name', 'scope'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        scope: { enum: ['read', 'write', 'admin'] },
      },
    });
    expect(post.responses[200].content['application/json'].schema.properties.data.required).toContain(
      'token',
    );
    const listed = get.responses[200].content['application/json'].schema.properties.data;
    expect(listed.properties.items.items.required).not.toContain('token');
    const audit = document.paths['/dashboard/api/stores/{storeId}/audit'].get;
    expect(audit.parameters.map(({ name, in: place, required }: any) => [name, place, required])).toEqual([
      ['storeId', 'path', true],
      ['take', 'query', false],
      ['cursor', 'query', false],
      ['operation', 'query', false],
      ['target', 'query', false],
      ['targetKind', 'query', false],
      ['actorId', 'query', false],
      ['outcome', 'query', false],
      ['from', 'query', false],
      ['to', 'query', false],
    ]);
    expect(audit.requestBody).toBeUndefined();
    expect(document.paths['/dashboard/api/auth/sign-in'].post.security).toEqual([]);
    const run = document.paths['/dashboard/api/stores/{storeId}/operations/{operation}'].post;
    expect(run.parameters[1].schema.enum).toContain('ship_order');
  });
});
