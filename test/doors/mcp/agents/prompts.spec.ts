import { PROMPTS } from '../../../../src/doors/mcp/prompts/prompt-list.js';
import type { Groups, Scope } from '../../../../src/access/rights.js';
import { TokenRegistry } from '../../../../src/platform/auth/token-registry.js';
import { OperationRegistry } from '../../../../src/platform/call/operation.registry.js';
import { type DtoClass, fields } from '../../../../src/platform/schema/field-spec.js';
import { useOauth } from '../../oauth/oauth-app.js';
import type { TestStore } from '../../../support/test-app.js';
import { ERAS, RawClient } from '../raw-client.js';

const INVALID_PARAMS = -32_602;
const NAMES = ['morning_round', 'restock', 'campaign', 'months_report', 'import_products'];
const ALL_GIVEN = {
  below: '7',
  category: 'Mugs',
  arrived: 'Mugs',
  about: 'Sale',
  audience: 'All',
  month: '2026-05',
  rows: 'a',
};

/** docs/behaviour.md §8: tasks that a host offers to its person by name. */
describe('prompts', () => {
  let store: TestStore;

  const oauth = useOauth({ env: { RATE_LIMIT_READ: '40' } });
  beforeAll(async () => {
    store = await oauth.app.store();
  });

  const client = (token = store.tokens.admin, era = ERAS[1], path = '/mcp') =>
    new RawClient(oauth.app, token, era, path);
  const listed = async (token?: string, path?: string): Promise<string[]> => {
    const { messages } = await client(token, 'modern', path).send('prompts/list');
    return messages[0].result.prompts.map(({ name }: { name: string }) => name);
  };
  const tokenWith = (groups: Groups, scope: Scope, of = store) =>
    of.inside(async (ctx) => {
      const made = { name: 'agent', scope, groups: groups && [...groups], expiresAt: null };
      return (await oauth.app.nest.get(TokenRegistry).create(ctx, made)).token;
    });

  it.each(ERAS)('are offered with their arguments (%s)', async (era) => {
    const { messages } = await client(undefined, era).send('prompts/list');
    const { prompts } = messages[0].result;
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    expect(prompts[2]).toEqual({
      name: 'campaign',
      title: 'Campaign',
      description: expect.stringMatching(/^Writes a message/),
      arguments: [
        { name: 'about', description: 'What the message is about.', required: true },
        { name: 'audience', description: 'Who gets it. Default everybody.', required: false },
      ],
    });
  });

  it.each(ERAS)('give the model a text with the values of the person (%s)', async (era) => {
    const given = { about: '  Mugs at half price ', audience: 'who bought mugs' };
    const { messages } = await client(undefined, era).send('prompts/get', {
      name: 'campaign',
      arguments: given,
    });
    const { description, messages: said } = messages[0].result;
    expect(description).toMatch(/^Writes a message/);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ role: 'user', content: { type: 'text' } });
    expect(said[0].content.text).toContain('about this: Mugs at half price\nIt goes to: who bought mugs\n');
    const plain = await client(undefined, era).send('prompts/get', { name: 'morning_round' });
    expect(plain.messages[0].result.messages[0].content.text).toContain('Change nothing.');
  });

  it.each<[string, unknown, unknown, string]>([
    ['an unknown name', 'evening', {}, `There is no prompt evening; the prompts are: ${NAMES.join(', ')}`],
    ['a missing argument', 'campaign', {}, 'arguments.about is required'],
    ['no arguments', 'campaign', undefined, 'arguments.about is required'],
    ['an empty argument', 'campaign', { about: ' ' }, 'arguments.about is required'],
    ['one that is too long', 'restock', { below: '1'.repeat(21) }, 'arguments.below must be at most 20'],
    ['rows that are too long', 'import_products', { rows: 'a'.repeat(20_001) }, 'must be at most 20000'],
    ['words for a number', 'restock', { below: 'twelve' }, 'arguments.below must be a whole number'],
    ['an amount below 0', 'restock', { below: '-5' }, 'arguments.below must be a whole number'],
    ['a 13th month', 'months_report', { month: '2026-13' }, 'arguments.month must be a month as YYYY-MM'],
    ['a number', 'restock', { below: 5 }, 'arguments.below must be a string'],
    ['an unknown argument', 'restock', { amount: '5' }, 'arguments.amount is not known to restock'],
    ['a list', 'restock', ['5'], 'arguments must be a JSON object'],
    ['null', 'restock', null, 'arguments must be a JSON object'],
  ])('refuse %s', async (_, name, given, sentence) => {
    for (const era of ERAS) {
      const { messages } = await client(undefined, era).send('prompts/get', {
        name: name as string,
        arguments: given,
      });
      expect([era, messages[0].error.code]).toEqual([era, INVALID_PARAMS]);
      expect(messages[0].error.message).toContain(sentence);
    }
  });

  it('are left out where a tool that they need cannot be called', async () => {
    expect(await listed(store.tokens.read)).toEqual(['morning_round', 'months_report']);
    expect(await listed(undefined, '/mcp?readonly=true')).toEqual(['morning_round', 'months_report']);
    expect(await listed(undefined, '/mcp?tools=analytics')).toEqual(['months_report']);
    expect(await listed(await tokenWith(['customers', 'campaigns'], 'write'))).toEqual(['campaign']);
    expect(await listed(await tokenWith(['billing'], 'admin'))).toEqual([]);
    const hidden = { name: 'restock' };
    const { messages } = await client(store.tokens.read).send('prompts/get', hidden);
    expect(messages[0].error.code).toBe(INVALID_PARAMS);
    expect(messages[0].error.message).toContain('the prompts are: morning_round, months_report');
  });

  it('are offered to an app as its tools are: up to what its person could allow', async () => {
    const { access_token } = await oauth.tokens(oauth.person(store), {}, { scope: 'read' });
    expect(await listed(access_token)).toEqual(NAMES);
  });

  it('cost budget: a list one of lists, a text one read', async () => {
    const token = await tokenWith(null, 'admin');
    const left = async (method: string, params: object) =>
      (await client(token).send(method, params)).headers.get('ratelimit-remaining');
    expect(await left('prompts/list', {})).toBe('39');
    expect(await left('tools/list', {})).toBe('38');
    expect(await left('prompts/get', { name: 'restock' })).toBe('39');
    expect(await left('prompts/get', { name: 'nothing' })).toBe('38');
    for (let i = 0; i < 38; i++) await left('prompts/get', { name: 'restock' });
    const { status, messages } = await client(token).send('prompts/get', { name: 'restock' });
    expect([status, messages[0].error.code]).toEqual([429, -32_010]);
    expect(await listed(token)).toEqual(NAMES);
  });

  it.each(ERAS)('have months that a host can offer (%s)', async (era) => {
    const complete = async (name: string, argument: object) => {
      const params = { ref: { type: 'ref/prompt', name }, argument } as object;
      const { messages } = await client(store.tokens.read, era).send('completion/complete', params);
      return messages[0].result.completion.values as string[];
    };
    const year = String(new Date().getUTCFullYear());
    const months = await complete('months_report', { name: 'month', value: '' });
    expect(months).toHaveLength(12);
    expect(months[0].slice(0, 4)).toBe(year);
    const ofYear = await complete('months_report', { name: 'month', value: year });
    expect(ofYear).toEqual(months.filter((month) => month.startsWith(year)));
    expect(await complete('nothing', { name: 'month', value: '' })).toEqual([]);
  });

  it.each(ERAS)('have categories of the store that a host can offer (%s)', async (era) => {
    const own = await oauth.app.store();
    const complete = async (value: string, token = own.tokens.write) => {
      const argument = { name: 'category', value };
      const params = { ref: { type: 'ref/prompt', name: 'restock' }, argument } as object;
      const { messages } = await client(token, era).send('completion/complete', params);
      return messages[0].result.completion.values as string[];
    };
    for (const [i, name] of ['Mugs', 'Plates', 'Тарілки'].entries())
      await own.data('create_category', { name, slug: `c-${i}`, sortOrder: i });
    expect(await complete('')).toEqual(['Mugs', 'Plates', 'Тарілки']);
    expect(await complete('mu')).toEqual(['Mugs']);
    expect(await complete('тарі')).toEqual(['Тарілки']);
    expect(await complete('', store.tokens.write)).not.toContain('Mugs');
    const narrow = await tokenWith(['products', 'analytics', 'activity'], 'write', own);
    expect(await complete('', narrow)).toEqual([]);
  });

  describe('in their texts', () => {
    /** Names of the fields of a class, and their values that are words, at every depth. */
    const known = (type: DtoClass, seen = new Set<DtoClass>()): string[] => {
      if (seen.has(type)) return [];
      seen.add(type);
      return fields(type).flatMap((field) => [
        field.name,
        ...(JSON.stringify(field.schema ?? {}).match(/[a-zA-Z_]{3,}/g) ?? []),
        ...(field.nested ? known(field.nested.type(), seen) : []),
      ]);
    };

    it.each(PROMPTS.map((prompt) => [prompt.name, prompt] as const))(
      'name tools and fields that exist: %s',
      (_, prompt) => {
        const operations = oauth.app.nest.get(OperationRegistry);
        const specs = prompt.tools.map((name) => operations.find(name));
        expect(specs).not.toContain(undefined);
        const names = new Set(
          specs.flatMap((spec) => [spec!.name, ...known(spec!.input), ...known(spec!.output)]),
        );
        for (const given of [ALL_GIVEN, { about: 'Sale', rows: 'a' }]) {
          const text = prompt.text(given);
          const marked = [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
          expect(marked.filter((word) => !names.has(word))).toEqual([]);
          const likeTools = text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
          expect(likeTools.filter((word) => !names.has(word))).toEqual([]);
          expect(prompt.tools.filter((tool) => !text.includes(tool))).toEqual([]);
        }
      },
    );
  });
});
