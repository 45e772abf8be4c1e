import { declaredRoutes } from '../../../src/doors/dashboard/dashboard-pages.js';
import { API_PATH } from '../../../src/doors/dashboard/dashboard.door.js';
import { type DtoClass, fields, type FieldSpec } from '../../../src/platform/schema/field-spec.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { NoInput } from '../../../src/platform/schema/pages/page.dto.js';
import { StorefrontController } from '../../../src/doors/storefront/storefront.controller.js';
import { endpointsOf } from '../../../src/platform/call/endpoint.js';
import { Browser } from '../../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../../doors/storefront/mini-app.js';
import type { TestApp, TestStore } from '../../support/test-app.js';
import { bodiesFor, MCP_BODIES, UPDATE_BODIES } from './worst-bodies.js';
import { type Target, WatchedService } from './watched-service.js';

/** docs/behaviour.md §1.6 */
describe('a body of 1 MiB, whatever it contains', () => {
  let watched: WatchedService;
  let app: TestApp;
  let store: TestStore;
  let webhook: BotWebhook;
  let owner: Browser;

  beforeAll(async () => {
    watched = await WatchedService.start();
    ({ app } = watched);
    store = await app.store();
    webhook = await BotWebhook.connect(store, watched.messenger);
    owner = await Browser.signedIn(app, store.ownerEmail);
  });
  afterAll(() => watched.stop());

  const tooLong = (targets: Target[]) => watched.tooLong(targets);
  const bearer = () => ({ Authorization: `Bearer ${store.tokens.admin}` });
  const operations = () => app.nest.get(OperationRegistry).list();

  it('does not block the event loop for more than 50 ms in any operation', async () => {
    const targets = operations().map(({ name, input }) => ({
      name,
      url: `/v1/${name}`,
      headers: bearer(),
      bodies: bodiesFor(input),
    }));
    expect(targets.length).toBeGreaterThan(50);
    expect(await tooLong(targets)).toEqual([]);
  }, 600_000);

  it('does not block it in a route of the dashboard, nor in an operation called there', async () => {
    const page = ({
      method,
      path,
      input = NoInput,
    }: {
      method: string;
      path: string;
      input?: DtoClass;
    }): Target => ({
      name: `${method} ${path}`,
      method,
      url: `/${API_PATH}/${path.replace(':storeId', store.id).replaceAll(/:\w+/g, '1')}`,
      headers: { Cookie: owner.cookie! },
      bodies: bodiesFor(input),
    });
    const routes = declaredRoutes().filter(
      ({ method, path }) => method !== 'GET' && !/sign-out|leave/.test(path),
    );
    const checkout = operations().find(({ name }) => name === 'update_checkout')!;
    const targets = [
      ...routes.map(page),
      page({ method: 'POST', path: 'stores/:storeId/operations/update_checkout', input: checkout.input }),
    ];
    expect(targets.length).toBeGreaterThan(10);
    expect(await tooLong(targets)).toEqual([]);
  }, 600_000);

  it('does not block it in the storefront or the bot', async () => {
    const { initData } = new MiniApp(store);
    const routes = endpointsOf(StorefrontController).filter(({ method }) => method === 'POST');
    const targets: Target[] = routes.map(({ path, input = NoInput }) => ({
      name: `storefront ${path}`,
      url: `/storefront/${store.id}/${path.replaceAll(/:\w+/g, '1')}`,
      headers: { Authorization: `tma ${initData}` },
      bodies: bodiesFor(input),
    }));
    expect(targets.length).toBeGreaterThan(1);
    const updates = { 'X-Telegram-Bot-Api-Secret-Token': webhook.secret };
    targets.push({
      name: 'bot update',
      url: `/messenger/${store.id}`,
      headers: updates,
      bodies: UPDATE_BODIES,
    });
    expect(await tooLong(targets)).toEqual([]);
  }, 600_000);

  it('does not block it with an order for a form of a thousand conditions', async () => {
    const seller = await app.store();
    await BotWebhook.connect(seller, watched.messenger);
    const { productId } = await seller.product();
    const conditions = (i: number) =>
      Array.from({ length: 5 }, (_, j) => ({
        dependsOn: `f${(i + j) % 60}`,
        operator: 'contains',
        // Each is another, and each is searched to the end.
        value: `Ж${String.fromCharCode(0x400 + i)}${j}`,
        action: 'show',
      }));
    const field = (i: number) => ({
      id: `f${i}`,
      label: '',
      type: 'text',
      required: false,
      defaultVisible: true,
    });
    const fields = Array.from({ length: 200 }, (_, i) => ({ ...field(i), conditions: conditions(i) }));
    await seller.data('update_checkout', { fields });
    const answer = (i: number) => ({ id: `f${i}`, label: '', type: 'text', value: 'Ж'.repeat(8_000) });
    const checkoutData = Array.from({ length: 60 }, (_, i) => answer(i));
    const order = JSON.stringify({
      items: [{ productId, quantity: 1 }],
      paymentMethod: 'cash',
      checkoutData,
    });
    expect(Buffer.byteLength(order)).toBeLessThan(1_048_576);
    const url = `/storefront/${seller.id}/orders`;
    const headers = { Authorization: `tma ${new MiniApp(seller).initData}` };
    expect(await tooLong([{ name: 'storefront orders', url, headers, bodies: [['a form', order]] }])).toEqual(
      [],
    );
    expect((await seller.data('list_orders')).items.length).toBeGreaterThan(0);
  });

  it('does not block it with 30 products of 1,000 variants each', async () => {
    const values = Array.from({ length: 200 }, (_, i) => ({ variantValue: `v${i}`, price: 1 }));
    const variants = Array.from({ length: 5 }, (_, i) => ({ optionTitle: `o${i}`, values }));
    const product = (productId: string) => ({
      ...{ productId, title: 'Many sizes', description: '', price: 1, variants },
      images: ['https://images.example/a.jpg'],
    });
    const body = (n: number): [string, string] => {
      const items = Array.from({ length: 30 }, (_, i) => product(`many-${n}-${i}`));
      return [`call ${n}`, JSON.stringify({ items, upsert: true })];
    };
    const bodies = [1, 2, 3].map(body);
    expect(Buffer.byteLength(bodies[0][1])).toBeLessThan(1_048_576);
    const url = '/v1/create_products';
    const target = { name: 'create_products', url, headers: bearer(), bodies, succeeds: true };
    expect(await tooLong([target])).toEqual([]);
    const { body: found } = await app.post('/v1/find_products', { text: 'many-3-29' }, bearer());
    expect(found.data.items).toHaveLength(1);
  }, 600_000);

  it('does not block it with an order of 200 lines under 100 promotions with many decimals', async () => {
    const seller = await app.store();
    await BotWebhook.connect(seller, watched.messenger);
    const { productId } = await seller.product();
    const days = { startsAt: '2020-01-01', endsAt: null, mode: 'add' };
    const promotions = Array.from({ length: 100 }, (_, i) => ({
      id: `p${i}`,
      label: '',
      ...days,
      cashbackPercentage: 1e-300,
    }));
    const level = { minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' };
    const rates = {
      enabled: true,
      levels: [level],
      categoryRates: [],
      promotions,
      maxCashbackPerOrder: null,
    };
    await seller.data('update_monetization', { cashback: { ...rates, cashbackTrigger: 'on_order_place' } });
    const order = JSON.stringify({
      items: Array(200).fill({ productId, quantity: 1 }),
      paymentMethod: 'cash',
    });
    const url = `/storefront/${seller.id}/orders`;
    const headers = { Authorization: `tma ${new MiniApp(seller).initData}` };
    expect(
      await tooLong([{ name: 'storefront orders', url, headers, bodies: [['an order', order]] }]),
    ).toEqual([]);
    const [{ count }] = await app.query<any>('select count(*)::int from bonus_entries where store_id = $1', [
      seller.id,
    ]);
    expect(count).toBeGreaterThan(0);
  });

  it('does not block it in /mcp on either path', async () => {
    const accept = { ...bearer(), Accept: 'application/json, text/event-stream' };
    const asTool = (name: string, [shape, body]: [string, string], more = ''): [string, string] => [
      `${name} ${shape}`,
      (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call",' +
        `"params":{"name":"${name}","arguments":${body}${more}}}`
      ).slice(0, 1_048_576),
    ];
    // On the short way, and the largest also on the protocol's own, which a progress token takes.
    const large = operations().filter(({ input }) => fields(input).some(hasInside));
    const bodies = large.flatMap(({ name, input }) =>
      bodiesFor(input, 1_000_000).flatMap((body) => [
        asTool(name, body),
        ...(name === 'update_checkout' ? [asTool(name, body, ',"_meta":{"progressToken":1}')] : []),
      ]),
    );
    expect(bodies.length).toBeGreaterThan(50);
    expect(
      await tooLong([{ name: 'mcp', url: '/mcp', headers: accept, bodies: [...MCP_BODIES, ...bodies] }]),
    ).toEqual([]);
  }, 600_000);
});

const hasInside = ({ nested, maxItems, maxBytes }: FieldSpec) =>
  !!nested || maxItems !== undefined || maxBytes !== undefined;
