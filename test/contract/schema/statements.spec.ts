import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { statement } from '../../../src/platform/database/statement.js';
import { describeStatements, loadStatements } from '../../support/database/described-statements.js';

const ROOT = path.resolve(__dirname, '../../..');
const GENERATED = path.join(ROOT, 'src/platform/database/statements.generated.ts');
/** How many statements stand in the file that runs them. */
const MOST_BESIDE = 3;
/** How many lines a file has (test/docs/sizes.spec.ts). */
const LONGEST_FILE = 300;

describe('the types of SQL statements', () => {
  it('are what a migrated database says of every statement', async () => {
    const text = await describeStatements(process.env.TEST_OWNER_URL!, await loadStatements());
    if (process.env.UPDATE_STATEMENTS) writeFileSync(GENERATED, text);
    // When this fails: npm run generate:statements
    expect(text.split('\n')).toEqual(readFileSync(GENERATED, 'utf8').split('\n'));
  });

  // docs/decisions/0008-rows-or-statements.md
  it('stand beside what runs them, unless they are more than three, or of several files', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file))
      .map((file) => ({ file, text: readFileSync(path.join(ROOT, 'src', file), 'utf8') }));
    const linesOf = (text: string) => text.split('\n').length;
    const isApart = (file: string, own: string) => {
      const importers = files.filter(({ text }) => text.includes(`/${path.basename(file, '.ts')}.js'`));
      return importers.length > 1 || linesOf(own) + linesOf(importers[0].text) > LONGEST_FILE;
    };
    const places = files.filter(({ file }) =>
      /^(groups|people|stores|doors|jobs|notices|webhooks)\//.test(file),
    );
    const wrong = places.filter(({ file, text }) => {
      const count = [...text.matchAll(/\b(statement|systemStatement)\(/g)].length;
      if (!file.endsWith('.statements.ts')) return count > MOST_BESIDE;
      return count <= MOST_BESIDE && !isApart(file, text);
    });
    expect(places.length).toBeGreaterThan(300);
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  // A statement that waits for a lock goes on with the rows of its start: its update asks for the old
  // version's lock again, while the next in the queue holds that lock and waits for this transaction.
  it('never change rows of a table in the statement that waits for their locks', async () => {
    const both = (await loadStatements()).filter(({ text }) => {
      const waits = /\bfor (no key )?update\b(?!( of \w+)? skip locked)/.test(text);
      return waits && /\b(update \w+( \w+)? set|delete from)\b/.test(text);
    });
    expect(both.map(({ name }) => name)).toEqual([]);
  });

  it('refuse a name that was never described, a wrong parameter, two swapped ones, and another type', () => {
    const calls = {
      right: `session.query(SAVE_CANCELLATION, { orderId, cancellation: null, pricing })`,
      wrong: `session.query(SAVE_CANCELLATION, { orderID: orderId, cancellation: null, pricing })`,
      swapped: `session.query(SAVE_CANCELLATION, { orderId: at, cancellation: orderId, pricing })`,
      missing: `session.query(SAVE_CANCELLATION, { orderId, pricing })`,
      unknown: `session.query(SAVE_CANCELLATION, { orderId, cancellation: null, pricing, total: 5 })`,
      untyped: `session.query(SAVE_CANCELLATION, { orderId: new Date(), cancellation: null, pricing })`,
      undescribed: `statement('no_such_statement', 'select from orders where store_id = $store')`,
      numbered: `session.query(SAVE_CANCELLATION, orderId, null, pricing)`,
      read: `session.query(READ_DELETED, { orderId }).then(([row]) => row.updated_at.getTime())`,
      misread: `session.query(READ_DELETED, { orderId }).then(([row]) => row.updated)`,
    };
    const refused = refusedOf(Object.values(calls));
    const names = Object.keys(calls).filter((_, i) => refused.has(i));
    expect(names).toEqual(Object.keys(calls).filter((name) => name !== 'right' && name !== 'read'));
  });
});

describe('a statement', () => {
  it.each([
    ['one without the store', 'select from orders where id = $orderId', /limited to the store/],
    ['one with a number', 'select from orders where store_id = $store and id = $2', /name its parameters/],
  ])('refuses %s', (_, text, message) => {
    expect(() => statement('test_refused' as 'get_order', text)).toThrow(message);
  });
});

const SNIPPET = path.join(ROOT, 'src/groups/orders/snippet.ts');
const HEAD = `import { statement } from '../../platform/database/statement.js';
import type { StoreSession } from '../../platform/database/session.js';
import { SAVE_CANCELLATION } from './changing/order-cancelling.statements.js';
import { READ_DELETED } from './order/order.statements.js';
export const calls = (session: StoreSession, orderId: number, pricing: string, at: Date) => [`.split('\n');

/** Which of the calls the type check refuses, as code among the sources. */
function refusedOf(calls: string[]): Set<number> {
  const text = [...HEAD, ...calls.map((call) => `${call},`), '];'].join('\n');
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === SNIPPET ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === SNIPPET || fileExists(name);
  const program = ts.createProgram([SNIPPET], { ...options, incremental: false }, host);
  const snippet = program.getSourceFile(SNIPPET)!;
  const lines = program
    .getSemanticDiagnostics(snippet)
    .map(({ start }) => snippet.getLineAndCharacterOfPosition(start!).line - HEAD.length);
  return new Set(lines);
}
