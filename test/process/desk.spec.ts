import { verifyWebhook } from '../../packages/client/src/webhooks.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { BotApiServer } from '../support/servers/bot-api-server.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { answers, Receiver } from '../support/servers/receiver.js';
import { shop } from '../support/servers/service-process.js';
import { TestApp, type TestStore } from '../support/test-app.js';

describe("the operator's commands for integrators", () => {
  let app: TestApp;
  let messenger: BotApiServer;
  let receiver: Receiver;
  let store: TestStore;
  let secret: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    messenger = await BotApiServer.start();
    receiver = await Receiver.start();
    app = await TestApp.start({
      database: await preparedDatabase(),
      env: {
        SHOP_ROLES: 'web,deliver',
        MESSENGER_API_ROOT: messenger.apiRoot,
        BASE_URL: 'https://shop.example',
      },
    });
    store = await app.store();
    secret = (await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url))).secret!;
    env = {
      DATABASE_URL: app.database.ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    };
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await messenger.close();
  });
  beforeEach(() => void receiver.received.splice(0));

  const audited = () =>
    app.query<{ operation: string; transport: string; target: string }>(
      `select operation, transport, target from audit_log where store_id = $1 and transport = 'cli'
        order by id desc limit 1`,
      [store.id],
    );

  it('trigger sends a signed test event of either kind, and prints the response', async () => {
    for (const [event, status] of [
      ['order.created', 204],
      ['order.updated', 503],
    ] as const) {
      receiver.next(answers.status(status, 'seen'));
      const { code, output } = await shop(env, 'trigger', event, '--store', store.id);
      expect([code, output]).toEqual([
        0,
        expect.objectContaining({ delivered: status === 204, statusCode: status }),
      ]);
      const { body, headers } = receiver.received.at(-1)!;
      expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id: output.id, event, test: true });
    }
    expect(await audited()).toEqual([
      { operation: 'webhook.test', transport: 'cli', target: `store:${store.id}` },
    ]);
    expect(await shop(env, 'trigger', 'order.deleted', '--store', store.id)).toMatchObject({
      code: 2,
      output: { error: { code: 'invalid_input' } },
    });
  });

  it('webhook redeliver sends one delivery again, or all failed ones', async () => {
    await store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
    const [first] = await receiver.waitFor(1);
    const id = first.headers['x-shop-delivery'] as string;
    // One that is not settled yet cannot be sent again.
    await eventually('the delivery is settled', async () => {
      const settled = `select from webhook_deliveries where store_id = $1 and status <> 'pending'`;
      return (await app.query(settled, [store.id])).length === 1;
    });
    const again = await shop(env, 'webhook', 'redeliver', '--store', store.id, '--id', id);
    expect([again.code, again.output]).toEqual([0, { queued: 1 }]);
    const [, second] = await receiver.waitFor(2);
    expect([second.headers['x-shop-delivery'], second.body]).toEqual([id, first.body]);
    expect(await audited()).toMatchObject([{ operation: 'webhook.redeliver', target: `delivery:${id}` }]);
    const none = await shop(
      env,
      'webhook',
      'redeliver',
      '--store',
      store.id,
      '--failed-since',
      '2026-01-01T00:00:00Z',
    );
    expect([none.code, none.output]).toEqual([0, { queued: 0 }]);
    expect(await audited()).toMatchObject([{ operation: 'webhook.redeliver_failed' }]);
    const both = await shop(env, 'webhook', 'redeliver', '--store', store.id);
    expect([both.code, both.output.error.message]).toEqual([2, expect.stringContaining('exactly one of')]);
  });

  it('webhook redeliver sends nothing of a store without a webhook', async () => {
    const other = await app.store();
    const since = ['--failed-since', '2026-01-01T00:00:00Z'];
    expect(await shop(env, 'webhook', 'redeliver', '--store', other.id, ...since)).toMatchObject({
      code: 1,
      output: { error: { code: 'not_found', message: expect.stringContaining('webhook') } },
    });
  });

  it('storefront init-data signs for a shopper, exactly, and never in production', async () => {
    const user = '9223372036854775807';
    const asked = () => shop(env, 'storefront', 'init-data', '--store', store.id, '--user', user);
    expect(await asked()).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('no bot') } },
    });
    await store.data('connect_bot', { token: store.botToken });
    const { output } = await asked();
    const me = await fetch(`${app.url}/storefront/${store.id}/me`, {
      headers: { Authorization: output.authorization },
    });
    expect([me.status, await me.json()]).toEqual([
      200,
      expect.objectContaining({ data: expect.objectContaining({ id: user }) }),
    ]);
    const production = await shop(
      {
        ...env,
        NODE_ENV: 'production',
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false',
        BASE_URL: 'https://shop.example',
      },
      ...['storefront', 'init-data', '--store', store.id, '--user', user],
    );
    expect(production).toMatchObject({ code: 1, output: { error: { code: 'forbidden' } } });
  });

  it('webhook rotate-secret shows the new secret, which signs from then on', async () => {
    const { code, output } = await shop(env, 'webhook', 'rotate-secret', '--store', store.id);
    expect([code, output]).toEqual([0, { secret: expect.stringMatching(/^whsec_/) }]);
    await shop(env, 'trigger', 'order.created', '--store', store.id);
    const [{ body, headers }] = receiver.received;
    await expect(verifyWebhook(body, headers, secret)).rejects.toThrow('not the signature');
    expect(await verifyWebhook(body, headers, output.secret)).toMatchObject({ test: true });
  });
});
