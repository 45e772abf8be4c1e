import { createHash } from 'node:crypto';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { ERAS, RawClient } from '../raw-client.js';

const URI = 'ui://shop/preview.html';
const TYPE = 'text/html;profile=mcp-app';
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** docs/behaviour.md §8: the page of previews, as a host gets it. test/browser shows it. */
describe('the page of previews', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const client = (era = ERAS[1], path = '/mcp', token = store.tokens.write) =>
    new RawClient(app, token, era, path);
  /** Clients of the newer revision repeat the address in a header. */
  const read = (from: RawClient, uri: string) =>
    from.send('resources/read', { uri } as object, { 'Mcp-Name': uri });

  it.each(ERAS)('is announced, listed, and read (%s)', async (era) => {
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const described =
      era === 'modern'
        ? await client(era).send('server/discover')
        : await client(era).send('initialize', hello as object);
    expect(described.messages[0].result.capabilities).toMatchObject({
      resources: {},
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [TYPE] } },
    });
    const { messages: listed } = await client(era).send('resources/list');
    expect(listed[0].result.resources).toEqual([
      expect.objectContaining({ uri: URI, name: 'preview', mimeType: TYPE, _meta: META }),
    ]);
    const { messages } = await read(client(era), URI);
    expect(messages[0].result.contents).toEqual([
      { uri: URI, mimeType: TYPE, text: expect.stringMatching(/^<!doctype html>/), _meta: META },
    ]);
    const templates = await client(era).send('resources/templates/list');
    expect(templates.messages[0].result.resourceTemplates).toEqual([]);
  });

  it('stands at its tool, and at no other', async () => {
    const { messages } = await client().send('tools/list');
    const tools = messages[0].result.tools as { name: string; _meta?: unknown }[];
    expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([
      expect.objectContaining({
        name: 'preview_change',
        _meta: { ui: { resourceUri: URI }, 'ui/resourceUri': URI },
      }),
    ]);
  });

  it('is one file that may run its own script and nothing else', async () => {
    const { messages } = await read(client(), URI);
    const page = messages[0].result.contents[0].text as string;
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)!;
    const hash = (element: string) => {
      const texts = [...page.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))];
      expect(texts).toHaveLength(1);
      return `'sha256-${createHash('sha256').update(texts[0][1]).digest('base64')}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash('script')}; style-src ${hash('style')}; base-uri 'none'; ` +
        "form-action 'none'",
    );
    expect(page).not.toMatch(/https?:|src=|href=|innerHTML|outerHTML|insertAdjacent|document\.write|fetch\(/);
  });

  it('is offered only with its tool, and refused by a sentence otherwise', async () => {
    for (const era of ERAS)
      for (const [path, token] of [
        ['/mcp?readonly=true', undefined],
        ['/mcp', store.tokens.read],
      ]) {
        const narrow = client(era, path, token);
        expect((await narrow.send('resources/list')).messages[0].result.resources).toEqual([]);
        const { error } = (await read(narrow, URI)).messages[0];
        expect([error.code, error.data]).toEqual([-32_602, { uri: URI }]);
      }
    const { error } = (await read(client(), 'ui://shop/other.html')).messages[0];
    expect(error).toMatchObject({ code: -32_602, data: { uri: 'ui://shop/other.html' } });
    expect(error.message).toContain('There is no resource ui://shop/other.html; resources/list names');
  });

  it('costs a read', async () => {
    const left = async () => Number((await read(client(), URI)).headers.get('ratelimit-remaining'));
    expect((await left()) - (await left())).toBe(1);
  });
});
