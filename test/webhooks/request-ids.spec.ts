import { pino } from 'pino';
import { COMMANDS } from '../../src/operator/cli/commands/webhook.commands.js';
import type { OnlineCommand } from '../../src/operator/cli/command.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.service.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { answers, Receiver } from '../support/servers/receiver.js';
import { type TestStore, useShop } from '../support/test-app.js';

describe('a call is followed to its webhook', () => {
  const lines: Record<string, unknown>[] = [];
  let store: TestStore;
  let receiver: Receiver;

  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  // With one retry a delivery has failed for good at once.
  const env = { SHOP_ROLES: 'web,deliver', WEBHOOK_RETRY_DELAYS: '0' };
  const app = useShop(async () => ({ database: await ownDatabase(), log, env }));
  beforeEach(async () => {
    lines.splice(0);
    store = await app.store({ name: 'Followed' });
    receiver = await Receiver.start();
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
  });
  afterEach(() => receiver.stop());

  const idsOf = async (table: string) =>
    (
      await app.query<{ request_id: string | null }>(
        `select request_id from ${table} where store_id = $1 order by id`,
        [store.id],
      )
    ).map(({ request_id: id }) => id);
  const failures = () => lines.filter(({ deliveryId }) => deliveryId !== undefined);
  const run = (options: Record<string, string | boolean>) =>
    (COMMANDS['webhook deliveries'] as OnlineCommand).run({ app: app.nest, options } as never);

  /** An order whose change of status is never taken. */
  async function refusedChange() {
    const { id: orderId } = await store.place({
      items: [{ productId: (await store.product()).productId, quantity: 1 }],
    });
    await receiver.waitFor(1);
    receiver.always(answers.status(503, 'busy'));
    const headers = { 'X-Request-Id': 'op-3am-1' };
    await store.call('set_order_status', { orderId, status: 'PROCESSING' }, { headers });
    await receiver.waitFor(3);
    await eventually('both attempts are settled', async () => failures().length === 2);
    // The attempt is logged before it is written, and the tests before have failures of other stores.
    await eventually(
      'the failure is written',
      async () => ((await run({ store: store.id, failed: true })) as object[]).length > 0,
    );
    return { orderId, id: receiver.received[2].json.id as string };
  }

  it('by the id of its request: in the event, the delivery, each attempt, and the header', async () => {
    await refusedChange();
    expect((await idsOf('order_events'))[1]).toBe('op-3am-1');
    expect((await idsOf('webhook_deliveries'))[1]).toBe('op-3am-1');
    expect((await idsOf('webhook_attempts')).slice(1)).toEqual(['op-3am-1', 'op-3am-1']);
    expect(receiver.received.slice(1).map(({ headers }) => headers['x-request-id'])).toEqual([
      'op-3am-1',
      'op-3am-1',
    ]);
  });

  it('by one line of the log for each failed attempt', async () => {
    const { id: deliveryId } = await refusedChange();
    const line = {
      storeId: store.id,
      deliveryId,
      event: 'order.updated',
      statusCode: 503,
      error: 'answered with status 503',
      requestId: 'op-3am-1',
    };
    expect(failures()).toEqual([
      expect.objectContaining({ ...line, attempt: 1, status: 'pending' }),
      expect.objectContaining({ ...line, attempt: 2, status: 'failed', level: 40 }),
    ]);
  });

  it('and one that is sent again carries the id of the request that asked for it', async () => {
    const { id } = await refusedChange();
    receiver.always(answers.status(204));
    const again = await store.inside(async (ctx) => {
      await app.nest.get(Deliveries).redeliver(ctx, id);
      return ctx.requestId;
    });
    await receiver.waitFor(4);
    expect(receiver.received[3].headers['x-request-id']).toBe(again);
    expect((await idsOf('order_events'))[1]).toBe('op-3am-1');
    await eventually('the attempt is written', async () => (await idsOf('webhook_attempts')).length === 4);
    const details = await store.inside((ctx) => app.nest.get(Deliveries).get(ctx, id));
    expect(details.requestId).toBe(again);
    expect(details.attempts.map(({ requestId }) => requestId)).toEqual(['op-3am-1', 'op-3am-1', again]);
  });

  it('the operator lists what failed for good, of a store and of all', async () => {
    const { orderId, id } = await refusedChange();
    const failed = { id, orderId, event: 'order.updated', status: 'failed' };
    expect(await run({ store: store.id, failed: true })).toMatchObject([failed]);
    expect(await run({ store: store.id })).toMatchObject([failed, { status: 'delivered' }]);
    const all = (await run({ all: true, failed: true, take: '1' })) as object[];
    expect(all).toEqual([
      expect.objectContaining({
        ...failed,
        storeId: store.id,
        storeName: 'Followed',
        requestId: 'op-3am-1',
        attempts: [
          expect.objectContaining({ statusCode: 503 }),
          expect.objectContaining({ statusCode: 503 }),
        ],
      }),
    ]);
    await expect(run({ all: true })).rejects.toThrow('add --failed');
    await expect(run({ failed: true })).rejects.toThrow('exactly one of --store and --all');
  });
});
