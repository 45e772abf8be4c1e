import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { ENVELOPE, envelopeOf, ERAS, JsonText, RawClient } from '../raw-client.js';
import { PHRASES } from './phrases.js';

const ASKING = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

/** docs/behaviour.md §8: `?tools=compact`, for hosts that show a model all tools at once. */
describe('the short list of tools', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store({ name: 'Nordwind' });
  });

  const client = (path = '/mcp?tools=compact', token = store.tokens.admin, era = ERAS[1]) =>
    new RawClient(app, token, era, path);
  const listed = async (from = client()) => {
    const { messages } = await from.send('tools/list');
    return messages[0].result.tools as any[];
  };
  const via = (caller: string, name: string, given: object = {}) =>
    [`call_${caller}_tool`, { name, arguments: given }] as const;
  const find = async (text: string, from = client()) =>
    envelopeOf(await from.call('find_tools', { text })).data as { tools: any[]; more: string[] };

  it('has the tools of every day and those that find and call the others, in few tokens', async () => {
    const encoder = new Tiktoken(o200k);
    const tools = await listed();
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['get_store_overview', 'find_orders']);
    expect(names.slice(-4)).toEqual(['find_tools', 'call_read_tool', 'call_write_tool', 'call_admin_tool']);
    expect(names).toHaveLength(20);
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const cost = shown.reduce((sum, tool) => sum + encoder.encode(JSON.stringify(tool)).length, 0);
    expect({ cost, fits: cost <= 3_200 }).toEqual({ cost, fits: true });
    const reading = await listed(client('/mcp?tools=compact', store.tokens.read));
    expect(reading.map(({ name }) => name)).toEqual(expect.arrayContaining(['find_tools', 'call_read_tool']));
    expect(reading.map(({ name }) => name)).not.toContain('call_write_tool');
    const more = await listed(client('/mcp?tools=compact,promocodes'));
    expect(more.map(({ name }) => name)).toContain('create_promocode');
    const looking = await listed(client('/mcp?tools=compact&readonly=true'));
    expect(looking.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  });

  it.each(ERAS)('finds a tool and calls it, with the same checks and answers (%s)', async (era) => {
    const from = client('/mcp?tools=compact', store.tokens.admin, era);
    const { tools } = await find('rename a category', from);
    const found = tools.find(({ name }) => name === 'update_category');
    expect(found).toMatchObject({ call: 'call_write_tool', inputSchema: { type: 'object' } });
    const made = envelopeOf(
      await from.call(...via('write', 'create_category', { name: 'Cups', slug: `cups-${era}` })),
    );
    expect(made.ok).toBe(true);
    const { data } = envelopeOf(await from.call(...via('read', 'get_category', { id: made.data.id })));
    expect(data).toEqual(await store.data('get_category', { id: made.data.id }));
    const direct = envelopeOf(await from.call('get_category', { id: made.data.id }));
    expect(direct.data).toEqual(data);
  });

  it('finds tools by the words of people', async () => {
    const missed: string[] = [];
    for (const [phrase, wanted] of PHRASES) {
      const { tools, more } = await find(phrase);
      const names = [...tools.map(({ name }) => name as string), ...more].slice(0, 5);
      if (!wanted.some((name) => names.includes(name))) missed.push(phrase);
    }
    expect({ missed, enough: missed.length <= 3 }).toEqual({ missed, enough: true });
  });

  it('answers wrong arguments with the schema, and a wrong caller or name with the right one', async () => {
    const error = async (...call: readonly [string, object]) =>
      envelopeOf(await client().call(...call)).error!;
    const wrong = await error(...via('write', 'update_category', { colour: 'red' }));
    expect(wrong.code).toBe('invalid_input');
    expect(wrong.message).toMatch(/colour.*update_category takes: \{"type":"object"/);
    expect((await error(...via('read', 'update_category'))).message).toBe(
      'update_category is called by way of call_write_tool',
    );
    expect((await error(...via('write', 'change_category'))).message).toMatch(
      /^There is no tool change_category; similar are .*update_category/,
    );
    expect((await error('call_write_tool', { name: 'create_category', arguments: null })).message).toContain(
      'arguments must be a JSON object',
    );
    expect((await error('find_tools', {})).message).toContain('text is required');
    const limited = client('/mcp?tools=compact', store.tokens.read);
    expect(envelopeOf(await limited.call(...via('write', 'create_brand'))).error!.code).toBe('forbidden');
    expect(
      envelopeOf(await limited.call('find_tools', { text: 'create_brand' })).data.tools,
    ).not.toContainEqual(expect.objectContaining({ name: 'create_brand' }));
  });

  it('has the person asked, keeps keys and takes many values, by way of another tool', async () => {
    const brand = await store.data('create_brand', { name: 'Anker', slug: 'anker' });
    const [name, given] = via('admin', 'delete_brand', { id: brand.id, confirm: true });
    const { messages } = await client().send('tools/call', { name, arguments: given, _meta: ASKING });
    expect(messages.at(-1).result.inputRequests.confirm.params.message).toBe(
      'Nordwind: Delete the brand "Anker"?',
    );
    const key = { idempotencyKey: 'once' };
    const create = via('write', 'create_brand', { name: 'Once', slug: 'once' });
    const [first, second] = [
      await client().call(...create, { ...ENVELOPE, ...key }),
      await client().call(...create, { ...ENVELOPE, ...key }),
    ];
    expect(envelopeOf(second)).toEqual(envelopeOf(first));
    const variants = [
      {
        optionTitle: 'Size',
        values: Array.from({ length: 200 }, (_, i) => ({ variantValue: `s${i}`, price: 10 })),
      },
    ];
    const product = (i: number) => ({
      ...{ productId: `many-${i}`, title: 'Many', description: 'Many', price: 10, variants },
      images: ['https://cdn.shop.example/a.jpg'],
    });
    const items = Array.from({ length: 20 }, (_, i) => product(i));
    const text = JSON.stringify({ name: 'create_products', arguments: { items } });
    const made = await client().call('call_write_tool', new JsonText(text));
    expect(envelopeOf(made).data).toMatchObject({ updated: 20, failed: 0 });
  });
});
