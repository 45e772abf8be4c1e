import { InvalidWebhook, verifyWebhook } from '../../packages/client/src/webhooks.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { ownDatabase } from '../support/database/own-database.js';
import { Receiver, type Received } from '../support/servers/receiver.js';
import { TestApp, type TestStore } from '../support/test-app.js';

describe('verifyWebhook', () => {
  let app: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let secret: string;
  let request: Received;
  let order: unknown;

  beforeAll(async () => {
    app = await TestApp.start({ database: await ownDatabase(), env: { SHOP_ROLES: 'web,deliver' } });
    store = await app.store();
    receiver = await Receiver.start();
    secret = (await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url))).secret!;
    order = await store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
    [request] = await receiver.waitFor(1);
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  it('returns the event of a genuine request, however its body and headers are held', async () => {
    const event = await verifyWebhook(request.body, request.headers, secret);
    expect(event).toMatchObject({
      event: 'order.created',
      id: request.headers['x-shop-delivery'],
      data: order,
    });
    const headers = new Headers(request.headers as Record<string, string>);
    const { buffer } = Uint8Array.from(request.body);
    expect(await verifyWebhook(request.body.toString(), headers, secret)).toEqual(event);
    expect(await verifyWebhook(buffer, headers, ['whsec_new', secret])).toEqual(event);
  });

  it('refuses a changed, wrongly signed or unsigned request', async () => {
    const { body, headers } = request;
    const changed = Buffer.from(body.toString().replace('PENDING', 'SHIPPED'));
    expect(changed).not.toEqual(body);
    const wrong: [Buffer, Record<string, string | string[] | undefined>, string | string[]][] = [
      [changed, headers, secret],
      [body, headers, 'whsec_other'],
      [body, headers, []],
      [body, { ...headers, 'x-shop-signature': undefined }, secret],
      [body, { ...headers, 'x-shop-signature': 'x'.repeat(64) }, secret],
      [body, { ...headers, 'X-Shop-Signature': 'a'.repeat(64) }, secret],
      [body, { ...headers, 'x-shop-delivery': 'another' }, secret],
    ];
    for (const [raw, given, key] of wrong)
      await expect(verifyWebhook(raw, given, key)).rejects.toThrow(InvalidWebhook);
  });
});
