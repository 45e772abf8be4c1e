import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { loadStatements } from '../../support/database/described-statements.js';

const LINT = `
  import { readFileSync } from 'node:fs';
  import { ESLint } from 'eslint';
  const overrideConfigFile = 'scripts/lint/swapped-names.mjs';
  const eslint = new ESLint({ overrideConfigFile, allowInlineConfig: false });
  const texts = JSON.parse(readFileSync(0, 'utf8'));
  const linted = await Promise.all(texts.map((text) => eslint.lintText(text, { filePath: 'src/text.ts' })));
  console.log(JSON.stringify(linted.map(([{ messages }]) => messages.map(({ message }) => message))));`;

/** What the rule of scripts/lint/swapped-names.mjs says of each text, as a file of src. */
function refusalsOf(texts: string[]): string[][] {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', LINT], {
    cwd: path.resolve(__dirname, '../../..'),
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  return JSON.parse(output) as string[][];
}

const sql = (text: string) => `export const SQL = \`${text}\``;
const SWAPPED = {
  'parameters of a call': 'run(ADD_NOTE, { note: author, author: note })',
  'one parameter that has its own name': 'run(ADD_NOTE, { orderId, note: name, author: note })',
  'parameters with values of an object': 'run(ADD_NOTE, { note: input.author, author: input.note! })',
  'parameters named more closely': 'run(ADD_NOTE, { authorKind: id, authorId: kind })',
  ids: 'run(SHIP, { orderId: customerId, customerId: orderId ?? null })',
  'names that are taken from an object': 'const { note: author, author: note } = input',
  'values of an insert': sql('insert into notes (author, note) values ($note, $author)'),
  'selected values of an insert': sql(
    'insert into notes (order_id, note, author) select o.id, lower($author), $note from orders o',
  ),
  'values of an update': sql("update notes set author = $note, text = 'x', note = $author"),
  'compared values': sql('select from orders o where o.id = $customerId and o.customer_id = any($orderId)'),
  'columns of parallel lists': sql('select from unnest($skus::text[], $codes::text[]) x (code, sku)'),
  'parameters beside a part of the text': sql('select ${COLUMNS} from notes where note = $by and by = $note'),
};
const RIGHT = [
  'run(ADD_NOTE, { orderId, id: newId(), note, author: name, authorKind: kind, authorId: id })',
  'run(SHIP, { id: order.id, orderId: order.customerId })',
  'const { version: VERSION, node: process } = about',
  sql('insert into notes (order_id, author, note) select o.id, $author, $note from o where o.id = $orderId'),
  sql('update orders set updated_at = $now where id = $orderId and customer_id = $customerId'),
  sql('select from orders where created_at >= $createdFrom and updated_at < $updatedTo'),
];

/** docs/decisions/0008-rows-or-statements.md */
describe('two swapped names of the same type', () => {
  it('are refused in calls and in SQL', () => {
    const refusals = refusalsOf([...Object.values(SWAPPED), ...RIGHT]);
    const refused = Object.keys(SWAPPED).filter((_, i) => refusals[i].length > 0);
    expect(refused).toEqual(Object.keys(SWAPPED));
    expect(refusals.slice(refused.length).flat()).toEqual([]);
    expect(refusals[0]).toEqual(['note: author and author: note: they seem to be swapped']);
  });

  it('are in no statement, as it is composed', async () => {
    const statements = await loadStatements();
    expect(statements.length).toBeGreaterThan(300);
    const refusals = refusalsOf(statements.map(({ source }) => `export default ${JSON.stringify(source)}`));
    expect(statements.filter((_, i) => refusals[i].length > 0).map(({ name }) => name)).toEqual([]);
  });
});
