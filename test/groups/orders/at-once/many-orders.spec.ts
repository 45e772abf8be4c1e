import pg from 'pg';
import { ownDatabase } from '../../../support/database/own-database.js';
import { eventually } from '../../../support/eventually.js';
import { botApi } from '../../../support/servers/bot-api-server.js';
import { ownerQuery, type TestStore, useShopWithMessenger } from '../../../support/test-app.js';

describe('many orders at once', () => {
  let store: TestStore;
  let productId: string;

  // The deadlocks of a database are counted, and other tests make some in the shared one.
  const { app, messenger: server } = useShopWithMessenger(async () => ({ database: await ownDatabase() }));
  beforeAll(() => app.stopJobs());
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    ({ productId } = await store.product({ itemAmount: 100 }));
  });

  const place = async (quantity = 1, of = store): Promise<number> =>
    (await of.place({ items: [{ productId, quantity }] })).id;
  const get = (orderId: number) => store.data('get_order', { orderId });
  const audit = (requestId: string) =>
    app.query<any>(
      `select operation, target, changes, input from audit_log
       where store_id = $1 and request_id = $2 order by id`,
      [store.id, requestId],
    );
  const events = async () =>
    (await store.feed()).items.map(({ event, data }) => [event, data.id, data.status]);
  const updates = async () => (await events()).filter(([event]) => event === 'order.updated');
  const stockOf = async () => (await store.data('get_product', { id: productId })).itemAmount;

  describe('set_order_statuses', () => {
    it('is previewed by several at once, beside other changes, without a deadlock', async () => {
      const orderIds = [await place(), await place(), await place(), await place()];
      const orders = orderIds.map((_, i) => [...orderIds.slice(i), ...orderIds.slice(0, i)]);
      const statuses = ['CANCELLED', 'PROCESSING', 'DELIVERED', 'CANCELLED'];
      for (let round = 0; round < 5; round++) {
        const previews = orders.flatMap((ids, i) => [
          store.data('preview_change', {
            operation: 'set_order_statuses',
            input: { orderIds: ids, status: statuses[i] },
          }),
          store.data('preview_change', {
            operation: 'ship_orders',
            input: { items: ids.map((orderId) => ({ orderId, carrier: 'DHL' })) },
          }),
        ]);
        const changes = orderIds.map((orderId, i) =>
          store.data('set_order_status', { orderId, status: i % 2 ? 'PROCESSING' : 'PENDING' }),
        );
        const answers = await Promise.all(previews);
        await Promise.all(changes);
        expect(answers.map(({ answer }) => answer.failed)).toEqual(answers.map(() => 0));
      }
      const [{ deadlocks }] = await app.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      expect(Number(deadlocks)).toBe(0);
    });

    it('changes each order by itself, with what it gave back', async () => {
      const [a, b, c] = [await place(2), await place(), await place(3)];
      await store.data('set_order_status', { orderId: c, status: 'CANCELLED' });
      const orderIds = [b, 999_999_999, a, c, 0, 'x', a, 1.5];
      expect(await store.data('set_order_statuses', { orderIds, status: 'CANCELLED' })).toEqual({
        updated: 2,
        unchanged: 1,
        failed: 4,
        items: [
          { index: 0, orderId: b, status: 'CANCELLED', givenBack: expect.objectContaining({ bonus: 0 }) },
          {
            index: 1,
            error: { code: 'not_found', message: 'Order 999999999 was not found in this store' },
          },
          {
            ...{ index: 2, orderId: a, status: 'CANCELLED' },
            givenBack: expect.objectContaining({ stock: [{ productId, variantId: null, quantity: 2 }] }),
          },
          { index: 3, orderId: c, status: 'CANCELLED' },
          { index: 4, error: expect.objectContaining({ code: 'invalid_input' }) },
          {
            index: 5,
            error: {
              code: 'invalid_input',
              message: expect.stringMatching(/^orderIds\[5\] must be an integer from 1/),
            },
          },
          { index: 6, orderId: a, status: 'CANCELLED', givenBack: expect.anything() },
          { index: 7, error: expect.objectContaining({ code: 'invalid_input' }) },
        ],
      });
      expect(await stockOf()).toBe(100);
      const { items } = await store.data('set_order_statuses', { orderIds: [a], status: 'PENDING' });
      expect(items[0].takenBack).toMatchObject({ stock: [{ productId, quantity: 2 }] });
    });

    it('sends one event and writes one audit row for each change, and one for the call', async () => {
      const [a, b] = [await place(), await place()];
      const input = { orderIds: [a, b, a], status: 'SHIPPED' };
      await store.call('set_order_statuses', input, { headers: { 'X-Request-Id': 'many-statuses' } });
      await store.data('set_order_statuses', input);
      expect(await updates()).toEqual([
        ['order.updated', a, 'SHIPPED'],
        ['order.updated', b, 'SHIPPED'],
      ]);
      const change = ['PENDING', 'SHIPPED'];
      expect(await audit('many-statuses')).toEqual([
        {
          ...{ operation: 'set_order_status', target: `order:${a}`, changes: { status: change } },
          input: { orderId: a, status: 'SHIPPED' },
        },
        {
          ...{ operation: 'set_order_status', target: `order:${b}`, changes: { status: change } },
          input: { orderId: b, status: 'SHIPPED' },
        },
        {
          ...{ operation: 'set_order_statuses', target: `store:${store.id}`, input, changes: null },
        },
      ]);
      const { entries } = await store.data('get_order_timeline', { orderId: a });
      expect(entries.map(({ text }: any) => text)).toContain('Status PENDING became SHIPPED');
    });

    it('is done once for a key', async () => {
      const orderIds = [await place(), await place()];
      const headers = { 'Idempotency-Key': 'statuses-once' };
      const call = () => store.call('set_order_statuses', { orderIds, status: 'CANCELLED' }, { headers });
      const first = await call();
      await store.data('set_order_statuses', { orderIds, status: 'PROCESSING' });
      const again = await call();
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
      expect((await get(orderIds[0])).status).toBe('PROCESSING');
    });

    /** Two orders, of which somebody else holds the second. */
    const withHeld = async (
      work: (orderIds: number[], pid: number, free: () => Promise<unknown>) => Promise<void>,
    ) => {
      const orderIds = [await place(), await place()];
      const holder = new pg.Client({ connectionString: app.database.ownerUrl });
      await holder.connect();
      try {
        await holder.query('begin');
        const [{ pid }] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
        await holder.query('select from orders where store_id = $1 and id = $2 for update', [
          store.id,
          orderIds[1],
        ]);
        await work(orderIds, pid, () => holder.query('commit'));
      } finally {
        await holder.end();
      }
    };
    const waitingFor = (pid: number) =>
      ownerQuery<{ pid: number }>('select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
        pid,
      ]);

    it('is finished by a repeat under the same key, which does nothing twice', async () => {
      await withHeld(async (orderIds, pid, free) => {
        const input = { items: orderIds.map((orderId) => ({ orderId, carrier: 'DHL' })) };
        const headers = { 'Idempotency-Key': 'interrupted', 'X-Request-Id': 'interrupted' };
        const call = () => store.call('ship_orders', input, { headers });
        const interrupted = call();
        let isOver = false;
        void interrupted.then(() => (isOver = true));
        // The service carries the call out once more by itself.
        await eventually('the call has lost its connection twice', async () => {
          for (const waiting of await waitingFor(pid))
            await ownerQuery('select pg_terminate_backend($1)', [waiting.pid]);
          return isOver;
        });
        expect((await interrupted).status).toBe(503);
        expect((await get(orderIds[0])).status).toBe('SHIPPED');
        const other = { items: [{ orderId: orderIds[0], carrier: 'UPS' }] };
        expect((await store.call('ship_orders', other, { headers })).status).toBe(400);
        await free();
        const { body } = await call();
        expect(body.data).toMatchObject({
          updated: 2,
          failed: 0,
          items: [{ status: 'SHIPPED' }, { status: 'SHIPPED' }],
        });
        const again = await call();
        expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([body, 'true']);
        expect((await audit('interrupted')).map(({ operation, target }) => [operation, target])).toEqual([
          ['ship_order', `order:${orderIds[0]}`],
          ['ship_order', `order:${orderIds[1]}`],
          ['ship_orders', `store:${store.id}`],
        ]);
        expect((await events()).filter(([, , status]) => status === 'SHIPPED')).toHaveLength(2);
      });
    });

    it('is done once by two calls with the same key at the same time', async () => {
      await withHeld(async (orderIds, pid, free) => {
        const headers = { 'Idempotency-Key': 'side by side', 'X-Request-Id': 'side by side' };
        const input = { orderIds, status: 'CANCELLED' };
        const calls = [0, 1].map(() => store.call('set_order_statuses', input, { headers }));
        await eventually('both wait', async () => {
          const [first] = await waitingFor(pid);
          return first !== undefined && (await waitingFor(first.pid)).length > 0;
        });
        await free();
        const [one, two] = await Promise.all(calls);
        expect(one.body.data.updated).toBe(2);
        expect(two.body).toEqual(one.body);
        expect(await audit('side by side')).toHaveLength(3);
        expect(await stockOf()).toBe(100);
      });
    });

    it('can be previewed, and applied once', async () => {
      const orderIds = [await place(), await place()];
      const input = { orderIds, status: 'PROCESSING' };
      const preview = await store.data('preview_change', { operation: 'set_order_statuses', input });
      expect(preview.answer).toMatchObject({ updated: 2 });
      expect(preview.changes.map(({ target }: any) => target)).toEqual([
        ...orderIds.map((id) => `order:${id}`),
        `store:${store.id}`,
      ]);
      expect((await get(orderIds[0])).status).toBe('PENDING');
      const { previewId } = preview;
      expect(await store.data('apply_change', { previewId })).toMatchObject({ updated: 2 });
      await store.data('set_order_status', { orderId: orderIds[0], status: 'SHIPPED' });
      expect(await store.data('apply_change', { previewId })).toMatchObject({ updated: 2 });
      expect((await get(orderIds[0])).status).toBe('SHIPPED');
    });

    it.each<[object, RegExp]>([
      [{ orderIds: [], status: 'SHIPPED' }, /^orderIds must be an array of 1 to 200 integers/],
      [{ orderIds: Array(201).fill(1), status: 'SHIPPED' }, /^orderIds must be an array of 1 to 200/],
      [{ orderIds: 1, status: 'SHIPPED' }, /^orderIds must be an array/],
      [{ orderIds: [1], status: 'LOST' }, /^status must be one of/],
      [{ orderIds: ['x'] }, /^status is required[^;]*$/],
    ])('refuses bad input as a whole (%#)', async (input, message) => {
      const { status, body } = await store.call('set_order_statuses', input);
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(message);
    });
  });

  describe('ship_orders', () => {
    it('ships each order by itself', async () => {
      const [a, b, c] = [await place(), await place(), await place()];
      await store.data('ship_order', { orderId: c, carrier: 'UPS' });
      const items = [
        { orderId: a, carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://dhl.example/1' },
        { orderId: 999_999_999, carrier: 'DHL' },
        { orderId: b },
        { orderId: a, carrier: 'UPS' },
        { orderId: c, carrier: 'UPS', trackingNumber: '2' },
        { orderId: b, trackingUrl: 'ftp://dhl.example' },
        null,
      ];
      const done = await store.data('ship_orders', { items });
      expect(done).toEqual({
        updated: 2,
        unchanged: 0,
        failed: 5,
        items: [
          { index: 0, orderId: a, status: 'SHIPPED' },
          { index: 1, error: expect.objectContaining({ code: 'not_found' }) },
          { index: 2, error: expect.objectContaining({ code: 'invalid_input' }) },
          {
            index: 3,
            error: { code: 'invalid_input', message: 'items[3].orderId is that of an item before it' },
          },
          { index: 4, orderId: c, status: 'SHIPPED' },
          { index: 5, error: expect.objectContaining({ code: 'invalid_input' }) },
          { index: 6, error: { code: 'invalid_input', message: 'items[6] must be an object' } },
        ],
      });
      expect(done.items[2].error.message).toMatch(/^items\[2\]\.trackingUrl: at least one of/);
      expect(done.items[5].error.message).toMatch(/^items\[5\]\.trackingUrl must be/);
      expect(await get(a)).toMatchObject({
        status: 'SHIPPED',
        carrier: 'DHL',
        trackingUrl: 'https://dhl.example/1',
      });
      expect((await get(b)).status).toBe('PENDING');
      expect(await get(c)).toMatchObject({ carrier: 'UPS', trackingNumber: '2' });
      expect(await updates()).toEqual([
        ['order.updated', c, 'SHIPPED'],
        ['order.updated', a, 'SHIPPED'],
        ['order.updated', c, 'SHIPPED'],
      ]);
    });

    it('tells each shopper once, whatever becomes of the other messages', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const shoppers = Array.from({ length: 15 }, (_, i) => String(5000 + i));
      const orders: number[] = [];
      for (const id of shoppers)
        orders.push((await store.place({ items: [{ productId, quantity: 1 }] }, { id })).id);
      server.always('sendMessage', ({ rawBody }) =>
        rawBody.includes('"5003"') ? botApi.blocked() : undefined,
      );
      const items = orders.map((orderId, i) => ({ orderId, carrier: 'DHL', notify: i !== 0 }));
      const headers = { 'Idempotency-Key': 'ship-once' };
      const first = await store.call('ship_orders', { items }, { headers });
      const done = first.body.data.items;
      expect(done[0]).toEqual({ index: 0, orderId: orders[0], status: 'SHIPPED' });
      expect(done[3]).toMatchObject({ notified: false, notifyFailureReason: 'unreachable' });
      const told = done.filter((item: any) => item.notified);
      expect(told).toHaveLength(13);
      expect(told[0]).toEqual({ index: 1, orderId: orders[1], status: 'SHIPPED', notified: true });
      expect((await store.call('ship_orders', { items }, { headers })).body).toEqual(first.body);
      expect(server.callsOf('sendMessage')).toHaveLength(14);
      const { entries } = await store.data('get_order_timeline', { orderId: orders[1] });
      expect(entries.map(({ kind }: any) => kind)).toContain('message');
    });

    it('needs the group of orders and the scope write, and sees one store', async () => {
      const orderId = await place();
      const items = [{ orderId, carrier: 'DHL' }];
      const refused = await store.call('ship_orders', { items }, { scope: 'read' });
      expect([refused.status, refused.body.error!.code]).toEqual([403, 'forbidden']);
      const other = await app.store();
      expect((await other.data('ship_orders', { items })).items).toMatchObject([
        { error: { code: 'not_found' } },
      ]);
      const statuses = { orderIds: [orderId], status: 'CANCELLED' };
      expect(await other.data('set_order_statuses', statuses)).toMatchObject({ failed: 1 });
      expect((await get(orderId)).status).toBe('PENDING');
    });
  });
});
