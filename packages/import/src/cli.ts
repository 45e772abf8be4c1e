#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createClient } from 'chat-shop-client';
import {
  type Call,
  guessMapping,
  Import,
  type Mapping,
  mendedFile,
  NotATable,
  type Plan,
  planOf,
  readStored,
  readTable,
  sentenceOf,
  type Table,
  type Target,
} from './import.js';

const USAGE = `chat-shop-import FILE [options]

Says what an import of the file would change. Nothing is changed without --apply.
SHOP_URL and SHOP_TOKEN name the service and a token of the store with scope write.

  --apply               make the changes
  --column HEADING=FIELD  what a column is; nothing after = leaves it out (may be repeated)
  --encoding NAME       such as windows-1251
  --sheet NAME          of a workbook
  --decimal-sign SIGN   , or . where nothing in the file tells what 1,250 is
  --picture-base URL    what stands before names of pictures
  --picture URL         for new products without a picture
  --zeros lost|meant    whether codes have lost zeros at their beginning
  --make-missing        make brands and categories that do not exist
  --without-wrong       import products without their wrong variants
  --problems FILE       write the lines with problems there, to mend them
`;

const OPTIONS = {
  apply: { type: 'boolean' },
  column: { type: 'string', multiple: true },
  encoding: { type: 'string' },
  sheet: { type: 'string' },
  'decimal-sign': { type: 'string' },
  'picture-base': { type: 'string' },
  picture: { type: 'string' },
  zeros: { type: 'string' },
  'make-missing': { type: 'boolean' },
  'without-wrong': { type: 'boolean' },
  problems: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Ends the command with a sentence. */
class Wrong extends Error {}

function withColumns(table: Table, mapping: Mapping, given: string[]): Mapping {
  const chosen = [...mapping];
  for (const one of given) {
    const [, heading = '', target = ''] = /^(.*)=([\w ]*)$/s.exec(one) ?? [];
    const i = table.columns.findIndex((column) => column.heading === heading);
    if (i === -1) throw new Wrong(`There is no column ${heading}.`);
    const [field, place] = target.split(' ');
    chosen[i] = field === '' ? null : ({ field, ...(place && { place: Number(place) }) } as Target);
  }
  const asked = table.columns.filter((_, i) => chosen[i] === undefined).map(({ heading }) => heading);
  if (asked.length > 0)
    throw new Wrong(`Headings are there twice: ${asked.join(', ')}. Say --column HEADING=FIELD.`);
  return chosen;
}

function say({ counts, problems, leftOut, doubts, missing }: Plan): void {
  const { all, ...parts } = counts;
  const told = Object.entries(parts).map(([name, count]) => `${count} ${name}`);
  print(`${all} lines: ${told.join(', ')}`);
  if (leftOut.length > 0) print(`Not read: ${leftOut.join(', ')}`);
  for (const { column, sample } of doubts) print(`${column}: what is ${sample}? Say --decimal-sign.`);
  const names = [
    ...missing.brands.map(({ name }) => name),
    ...missing.categories.map(({ path }) => path.join(' > ')),
  ];
  if (names.length > 0) print(`Do not exist: ${names.join(', ')}`);
  for (const problem of problems) print(`Line ${problem.line}: ${sentenceOf(problem)}`);
}

/** As ISO 4217 has it; the messenger's stars are whole. */
const decimalsOf = (currency: string) =>
  currency === 'XTR'
    ? 0
    : new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits!;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [file] = positionals;
  if (values.help || !file) {
    print(USAGE);
    return values.help ? 0 : 2;
  }
  const { SHOP_URL, SHOP_TOKEN } = process.env;
  if (!SHOP_URL || !SHOP_TOKEN) throw new Wrong('Set SHOP_URL and SHOP_TOKEN.');
  const client = createClient({ baseUrl: SHOP_URL, token: SHOP_TOKEN });
  const call: Call = (operation, input) => client.call(operation as 'get_product', input as never) as never;
  const table = await readTable(await readFile(file), { encoding: values.encoding, sheet: values.sheet });
  const mapping = withColumns(table, guessMapping(table), values.column ?? []);
  const store = await client.call('get_store_overview', {});
  const currency = store.store.currency;
  const plan = planOf(table, mapping, await readStored(call), {
    currency,
    decimals: decimalsOf(currency),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    decimalSign: values['decimal-sign'] as ',' | '.' | undefined,
    pictureBase: values['picture-base'],
    picture: values.picture,
    zeros: values.zeros as 'lost' | 'meant' | undefined,
    makesMissing: values['make-missing'],
    withoutWrong: values['without-wrong'],
  });
  say(plan);
  if (plan.doubts.length > 0) return 1;
  let { problems } = plan;
  if (values.apply) {
    const outcome = await new Import(plan, call).run();
    for (const { line, text } of outcome.warnings) print(`Line ${line}: warning: ${text}`);
    for (const problem of outcome.problems) print(`Line ${problem.line}: ${sentenceOf(problem)}`);
    problems = [...problems, ...outcome.problems];
    print('Imported.');
  }
  if (values.problems && problems.length > 0)
    await writeFile(values.problems, mendedFile(table, problems, 'Problem'));
  return problems.length > 0 ? 1 : 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: Error) => {
    const isKnown = error instanceof Wrong || error instanceof NotATable;
    process.stderr.write(`${isKnown ? error.message : error.stack}\n`);
    process.exitCode = 2;
  },
);
