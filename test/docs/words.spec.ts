import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TIMELINE_KINDS } from '../../src/groups/orders/reading/order-timeline.dto.js';

const SOURCES = path.resolve(__dirname, '../../src');
const WEB = path.resolve(__dirname, '../../web/dashboard');

interface Words {
  audit: { operations: Record<string, string> };
  orders: { kinds: Record<string, string> };
}

/** A file of the pages: they have a compiler of their own, with other rules for imports. */
const fileOf = async <Content>(name: string) => (await import(path.join(WEB, name))) as Content;
const wordsOf = async (language: string): Promise<Words> => ({
  ...(await fileOf<{ default: Words }>(`words/${language}.ts`)).default,
  audit: (await fileOf<{ auditNames: Words['audit'] }>(`words/${language}/audit.ts`)).auditNames,
});

/** Names under which the code writes rows of the audit, beside the operations: `audited: 'token.create'`. */
function auditedNames(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  // What is told to open pages is no row of the audit.
  const lines = files.flatMap((name) =>
    readFileSync(path.join(SOURCES, name), 'utf8')
      .replace(/live\.publish\([^;]*;/g, '')
      .split('\n'),
  );
  const names = lines
    .filter((line) => /audited: |audit\.action = |OPERATION = |\boperation: '/.test(line))
    .flatMap((line) => [...line.matchAll(/'(\w+\.\w+)'/g)].map(([, name]) => name));
  return [...new Set(names)];
}

describe('the texts of the pages', () => {
  const languages = ['en', 'uk'];

  it.each(languages)('have a name for every audited operation (%s)', async (language) => {
    const words = await wordsOf(language);
    const { SCOPES } = await fileOf<{ SCOPES: Record<string, string> }>('api/generated/operations.ts');
    const changing = Object.entries(SCOPES).flatMap(([name, scope]) => (scope === 'read' ? [] : [name]));
    const names = [...changing, ...auditedNames()];
    expect(names).toEqual(
      expect.arrayContaining([
        'ship_order',
        'token.create',
        'payment.receive',
        'order.place',
        'promocode.enable',
      ]),
    );
    expect(names.filter((name) => !words.audit.operations[name])).toEqual([]);
  });

  it.each(languages)('name every kind of entry in the history of an order (%s)', async (language) => {
    const words = await wordsOf(language);
    expect(Object.keys(words.orders.kinds).sort()).toEqual([...TIMELINE_KINDS].sort());
  });

  it('have Cyrillic letters in every Ukrainian text', async () => {
    const [en, uk] = await Promise.all(languages.map(wordsOf));
    const latin = Object.entries({ ...uk.audit.operations, ...uk.orders.kinds }).filter(
      ([, text]) => !/[а-яіїєґ]/i.test(text),
    );
    expect(latin).toEqual([]);
    expect(Object.keys(uk.audit.operations).sort()).toEqual(Object.keys(en.audit.operations).sort());
  });
});
