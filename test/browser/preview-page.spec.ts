import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { RawClient } from '../doors/mcp/raw-client.js';
import { eventually } from '../support/eventually.js';
import { headlessBrowser } from '../support/servers/chromium.js';
import { type TestStore, useShop } from '../support/test-app.js';

/** What a host shows around the page: a frame without rights, and the protocol between the two. */
const HOST = `<!doctype html><title>Host</title><iframe sandbox="allow-scripts"></iframe><script>
  const frame = document.querySelector('iframe');
  const post = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.heard = [];
  window.open_ = (page, capabilities, result) => {
    addEventListener('message', async ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      window.heard.push(data);
      const { id, method, params } = data;
      if (method === 'ui/initialize') {
        const hostInfo = { name: 'host', version: '1.0.0' };
        const answer = { protocolVersion: params.protocolVersion, hostInfo, hostContext: { theme: 'dark' } };
        post({ id, result: { ...answer, hostCapabilities: capabilities } });
      } else if (method === 'ui/notifications/initialized') {
        post({ method: 'ui/notifications/tool-result', params: result });
      } else if (method === 'tools/call') post({ id, result: await callTool(params.name, params.arguments) });
      else if (method === 'ui/update-model-context') post({ id, result: {} });
    });
    frame.srcdoc = page;
  };
</script>`;
const ALL = { serverTools: {}, updateModelContext: { text: {} } };
const PRODUCT = {
  productId: 'mug',
  title: 'Mug',
  description: 'A mug',
  images: ['https://cdn.shop.example/mug.jpg'],
  price: 10,
};
const HOSTILE = '<img src=x onerror="parent.postMessage(1)"><b>Anna</b>';

/** docs/behaviour.md §8 */
describe('in Chromium, the page of previews', () => {
  let store: TestStore;
  let client: RawClient;
  let html: string;
  let host: Server;
  let browser: Browser;
  let page: Page;
  let problems: string[];

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    client = new RawClient(app, store.tokens.admin);
    const { messages } = await client.send('resources/read', { uri: 'ui://shop/preview.html' } as object);
    html = messages[0].result.contents[0].text;
    host = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(HOST));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    browser = await puppeteer.launch(headlessBrowser());
  });
  afterAll(async () => {
    await browser.close();
    host.closeAllConnections();
    host.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    problems = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.exposeFunction('callTool', (name: string, input: object) => client.call(name, input));
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  const preview = (operation: string, input: object) => client.call('preview_change', { operation, input });
  /** Shows the result of a tool, and waits until the page is done with it. */
  const show = async (result: object, capabilities: object = ALL): Promise<Frame> => {
    await page.evaluate(`open_(${[html, capabilities, result].map((value) => JSON.stringify(value))})`);
    const frame = await (await page.waitForSelector('iframe'))!.contentFrame();
    await frame.waitForFunction(said('Waiting'));
    return frame;
  };
  /** Whether the page no longer says one of these. */
  const said = (before: string) =>
    `!/^(?:${before})/.test(document.getElementById('status')?.textContent ?? 'Waiting')`;
  const status = (frame: Frame) => frame.$eval('#status', (element) => element.textContent);
  const rows = (frame: Frame) =>
    frame.$$eval('tr', (lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
  const press = async (frame: Frame, name: string) => {
    await frame.click(`#${name}`);
    await frame.waitForFunction(said('Nothing|Applying'));
    return status(frame);
  };
  const heard = async (method: string): Promise<any[]> =>
    ((await page.evaluate('heard')) as { method?: string }[]).filter((message) => message.method === method);
  const brand = () => store.data('create_brand', { name: 'Nordwind', slug: `b${Date.now()}` });

  it('shows before and after, and applies exactly that', async () => {
    const { id } = await brand();
    const frame = await show(await preview('update_brand', { id, name: 'Nord' }));
    expect(await rows(frame)).toEqual([
      ['Record', 'Field', 'Before', 'After'],
      ['Nordwind', 'name', 'Nordwind', 'Nord'],
    ]);
    expect(await status(frame)).toMatch(/^Nothing was changed yet. It can be applied until \S.*\.$/);
    expect(await frame.$eval('html', (root) => root.dataset.theme)).toBe('dark');
    expect((await store.data('get_brand', { id })).name).toBe('Nordwind');
    expect(await press(frame, 'apply')).toBe('Update brand: done.');
    expect((await store.data('get_brand', { id })).name).toBe('Nord');
    await eventually('the model is told', async () => (await heard('ui/update-model-context')).length === 1);
    const [{ params }] = await heard('ui/update-model-context');
    expect(params.content[0].text).toMatch(
      /^The person used the page of preview \S+ \(update_brand\): Update brand: done\.$/,
    );
    expect(await frame.$eval('#actions', (element) => element.checkVisibility())).toBe(false);
  });

  it('shows how many records lose their link to what is deleted', async () => {
    const { id } = await brand();
    const product = await store.product();
    await store.data('update_product', { id: product.id, brandId: id });
    const frame = await show(await preview('delete_brand', { id, confirm: true }));
    expect(await rows(frame)).toContainEqual(['', 'products that lose their link', '1', '0']);
  });

  it('changes nothing on Cancel', async () => {
    const { id } = await brand();
    const frame = await show(await preview('update_brand', { id, name: 'Nord' }));
    expect(await press(frame, 'cancel')).toBe('Cancelled: nothing was changed.');
    expect((await store.data('get_brand', { id })).name).toBe('Nordwind');
    expect(await heard('tools/call')).toEqual([]);
  });

  it('says why it could not be applied, and leaves the choice', async () => {
    const { id } = await brand();
    const frame = await show(await preview('update_brand', { id, name: 'Nord' }));
    await store.data('update_brand', { id, name: 'Süd' });
    expect(await press(frame, 'apply')).toMatch(/^Not applied: The change would no longer be the one/);
    expect(
      await frame.$eval('#apply', (button) => (button as unknown as { disabled: boolean }).disabled),
    ).toBe(false);
    expect((await store.data('get_brand', { id })).name).toBe('Süd');
  });

  it('shows what shoppers typed as text', async () => {
    await store.data('create_product', PRODUCT);
    const items = [{ productId: PRODUCT.productId, quantity: 1 }];
    const order = await store.place({ items }, { id: '9', firstName: HOSTILE });
    const frame = await show(await preview('delete_order', { orderId: order.id, confirm: true }));
    expect((await rows(frame)).flat().join(' ')).toContain('<img src=x onerror=');
    expect(await frame.$$('img, b')).toEqual([]);
  });

  it('shows an answer that changes no record, its warnings, and items that are refused', async () => {
    const input = { items: [{ productId: 'none', delta: 1 }] };
    const frame = await show(await preview('update_stocks', input));
    expect(await rows(frame)).toContainEqual(['', 'failed', '—', '1']);
    expect(await frame.$eval('#notes', (notes) => notes.textContent)).toMatch(/^Item 0 will be left out: \S/);
  });

  it('asks for the assistant where the host lets pages call no tools', async () => {
    const { id } = await brand();
    const frame = await show(await preview('update_brand', { id, name: 'Nord' }), {});
    expect(await status(frame)).toMatch(/Ask the assistant to apply it\.$/);
    expect(await frame.$eval('#apply', (button) => button.checkVisibility())).toBe(false);
    expect(await press(frame, 'cancel')).toBe('Cancelled: nothing was changed.');
    expect(await heard('ui/update-model-context')).toEqual([]);
  });

  it('shows a refusal as a sentence', async () => {
    const frame = await show(await preview('update_brand', { id: 'none', name: 'Nord' }));
    expect(await status(frame)).toMatch(/none/);
    expect(await frame.$$('table')).toEqual([]);
    expect(await frame.$eval('#actions', (element) => element.checkVisibility())).toBe(false);
  });

  it('can reach no address', async () => {
    const frame = await show(await preview('update_general', { title: 'Tea' }));
    const outcome = await frame.evaluate(() => fetch('http://127.0.0.1/').then(String, () => 'refused'));
    expect(outcome).toBe('refused');
    expect(problems.join()).toContain('Content Security Policy');
    problems = [];
  });
});
