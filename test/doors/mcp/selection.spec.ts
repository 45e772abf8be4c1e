import { Ajv2020 } from 'ajv/dist/2020.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { envelopeOf, type Era, ERAS, RawClient } from './raw-client.js';

/** docs/behaviour.md §8: the URL narrows the tools, for lists and for calls. */
describe('the tools that a URL asks for', () => {
  let store: TestStore;

  const client = (query: string, era: Era = 'modern') =>
    new RawClient(app, store.tokens.admin, era, `/mcp?${query}`);
  const listed = async (query: string): Promise<string[]> => {
    const { messages } = await client(query).send('tools/list');
    return messages[0].result.tools.map(({ name }: { name: string }) => name);
  };

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('are those of the groups and names in tools', async () => {
    expect(await listed('tools=brands')).toEqual([
      'create_brand',
      'delete_brand',
      'get_brand',
      'list_brands',
      'update_brand',
    ]);
    expect(await listed('tools=get_order,payment-providers,get_brand,')).toEqual([
      'create_payment_provider',
      'delete_payment_provider',
      'get_brand',
      'get_order',
      'get_payment_provider',
      'list_payment_providers',
      'test_payment_provider',
      'update_payment_provider',
    ]);
    expect(await listed('tools=')).toEqual(await listed('other=1'));
  });

  it('change nothing with readonly=true', async () => {
    const operations = app.nest.get(OperationRegistry).list();
    const reads = operations.filter(({ scope }) => scope === 'read').map(({ name }) => name);
    expect(await listed('readonly=true')).toEqual(reads);
    expect(await listed('readonly=false')).toHaveLength(operations.length);
    for (const query of ['tools=brands&readonly=true', 'Tools=brands&readOnly=true'])
      expect([query, await listed(query)]).toEqual([query, ['get_brand', 'list_brands']]);
  });

  it('have schemas of their whole results with outputs=full', async () => {
    const schemas = async (query: string) => {
      const { messages } = await client(query).send('tools/list');
      return messages[0].result.tools.map(({ outputSchema }: { outputSchema: object }) => outputSchema);
    };
    const check = new Ajv2020({ strict: false, formats: { 'date-time': true, uri: true, uuid: true } });
    const call = async (name: string, input: object) =>
      (await client('', 'modern').send('tools/call', { name, arguments: input })).messages[0].result
        .structuredContent;
    await store.data('create_brand', { slug: 'described', name: 'Described' });
    const [list] = await schemas('outputs=full&tools=list_brands');
    expect(list.properties.data.properties.items.items.properties.slug.type).toBe('string');
    const brands = await call('list_brands', {});
    expect([check.validate(list, brands), check.validate(list, { ...brands, data: 1 })]).toEqual([
      true,
      false,
    ]);
    const [one] = await schemas('outputs=full&tools=get_brand');
    expect(check.validate(one, await call('get_brand', { id: 'no-such' }))).toBe(true);
    expect(await schemas('tools=get_brand')).toEqual([{ type: 'object', required: ['ok'] }]);
    expect((await client('outputs=all').send('tools/list')).messages[0].error.message).toMatch(
      /^outputs must/,
    );
  });

  it('can be called, and no other tools can', async () => {
    for (const era of ERAS) {
      const ask = async (query: string, name: string, input: object) =>
        (await client(query, era).send('tools/call', { name, arguments: input })).messages[0];
      const brand = { name: 'Selected', slug: `selected-${era}` };
      expect((await ask('tools=brands', 'create_brand', brand)).result.structuredContent.ok).toBe(true);
      for (const query of ['tools=orders', 'readonly=true', 'tools=brands&readonly=true']) {
        const { error } = await ask(query, 'create_brand', { ...brand, slug: `${brand.slug}-2` });
        expect(error).toMatchObject({ code: -32602, data: { ok: false, error: { code: 'unknown_tool' } } });
      }
    }
    const made = (await store.data('list_brands')).items.filter(
      ({ name }: { name: string }) => name === 'Selected',
    );
    expect(made).toHaveLength(ERAS.length);
  });

  it('and no others by way of a preview, or of undoing what they did', async () => {
    const { id } = await store.data('create_brand', { name: 'First', slug: 'by-way-of' });
    const call = async (query: string, name: string, input: object) =>
      envelopeOf(await client(query).call(name, input));
    const previewed = { operation: 'update_brand', input: { id, name: 'Second' } };
    const apply = async (query: string) => {
      const { previewId } = await store.data('preview_change', previewed);
      return call(query, 'apply_change', { previewId });
    };
    const undo = async (query: string) => {
      const { items } = await store.data('list_activity', {
        target: `brand:${id}`,
        operation: 'update_brand',
      });
      return call(query, 'undo_change', { activityId: items[0].id });
    };
    const isRefused = { code: 'forbidden', message: expect.stringContaining('update_brand is left out') };
    for (const query of ['tools=activity', 'tools=apply_change,preview_change,undo_change,get_brand']) {
      expect((await call(query, 'preview_change', previewed)).error).toEqual(isRefused);
      expect((await apply(query)).error).toEqual(isRefused);
    }
    expect((await store.data('get_brand', { id })).name).toBe('First');
    expect((await apply('tools=activity,update_brand')).data.name).toBe('Second');
    expect((await undo('tools=activity')).error).toEqual(isRefused);
    expect((await store.data('get_brand', { id })).name).toBe('Second');
    expect((await undo('tools=activity,brands')).ok).toBe(true);
    expect((await store.data('get_brand', { id })).name).toBe('First');
  });

  it.each([
    [
      'tools=ordres',
      'tools: ordres is neither a tool nor a group of tools; the groups are activity, analytics, billing, ',
    ],
    ['tools=orders,get_unicorn', 'tools: get_unicorn is neither'],
    ['readonly=yes', 'readonly must be true or false'],
  ])('are refused for %s', async (query, message) => {
    const { status, messages } = await client(query).send('tools/list');
    expect([status, messages]).toEqual([
      400,
      [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining(message) } }],
    ]);
  });
});
