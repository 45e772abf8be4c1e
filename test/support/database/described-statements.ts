import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { declared } from '../../../src/platform/database/statement.js';

const SOURCES = path.resolve(__dirname, '../../../src');

type Prepared = typeof declared extends Map<string, infer Made> ? Made : never;

/** Loads every module that declares statements, and the ones that they import. */
export async function loadStatements(): Promise<Prepared[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  for (const file of files) {
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    if (/\b(statement|systemStatement)\(/i.test(text))
      await import(path.join(SOURCES, file.replace(/\.ts$/, '')));
  }
  const isOfSource = ({ name }: Prepared) => !name.startsWith('test_');
  return [...declared.values()].filter(isOfSource);
}

/** How the driver reads a value of a type. */
const READ: Record<string, string> = {
  ...{ text: 'string', uuid: 'string', varchar: 'string', int8: 'string', numeric: 'string' },
  ...{ int2: 'number', int4: 'number', float8: 'number', bool: 'boolean', timestamptz: 'Date' },
  ...{ json: 'unknown', jsonb: 'unknown', bytea: 'Buffer', void: 'unknown' },
};
/** What may be passed for a parameter of a type, where it is more or less than what is read. */
const SENT: Record<string, string> = {
  ...READ,
  ...{ int8: 'BigInteger', numeric: 'Numeric', timestamptz: 'Timestamp', json: 'string', jsonb: 'string' },
  date: 'string',
};

const HEAD = `// What PostgreSQL says about each statement, one a line: \
\`npm run generate:statements\` writes this file.
export type BigInteger = string | number | bigint;
export type Numeric = string | number;
export type Timestamp = Date | string;
export type List<Element> = readonly (Element | null | undefined)[];
`;

interface Column {
  table: string;
  isNotNull: boolean;
  /** The values of a check that lists them. */
  values: string | null;
}

/** A check such as \`status = any (array['pending', 'done'])\`, as the catalog writes it. */
const LISTED =
  '^CHECK \\(\\(\\(?\\w+\\)?(::text)? = ANY \\(\\(?ARRAY\\[' +
  "(''[^'']*''::[a-z ]+(, )?)+\\](::text\\[\\])?\\)?\\)\\)\\)$";

const COLUMNS = `
  select a.attrelid::int || '.' || a.attnum as key, a.attnotnull as "isNotNull", c.relname as table, (
      select string_agg(distinct quote_literal(m[1]), ' | ')
      from pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::', 'g') m
      where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '${LISTED}') as values
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.attnum > 0 and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;

/** The text of statements.generated.ts. @throws Error naming a statement that the database refuses */
export async function describeStatements(url: string, statements: Prepared[]): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const types = await client.query('select oid::int, typname from pg_type');
    const columns = await client.query(COLUMNS);
    const catalog = {
      types: new Map<number, string>(types.rows.map(({ oid, typname }) => [oid, typname])),
      columns: new Map<string, Column>(columns.rows.map(({ key, ...column }) => [key, column])),
    };
    const lines: { isOfSystem: boolean; line: string }[] = [];
    for (const made of statements) {
      try {
        const line = lineOf(made, await describeOne(client, made.text), catalog);
        lines.push({ isOfSystem: 'ofSystem' in made, line });
      } catch (error) {
        throw new Error(`statement ${made.name}: ${(error as Error).message}`, { cause: error });
      }
    }
    const group = (isOfSystem: boolean) =>
      lines.flatMap((one) => (one.isOfSystem === isOfSystem ? [`  ${one.line}\n`] : [])).sort();
    return (
      `${HEAD}\nexport interface Statements {\n${group(false).join('')}}\n` +
      `\nexport interface SystemStatements {\n${group(true).join('')}}\n`
    );
  } finally {
    await client.end();
  }
}

interface Answer {
  parameters: number[];
  fields: pg.FieldDef[];
}

interface Catalog {
  types: Map<number, string>;
  columns: Map<string, Column>;
}

function lineOf(made: Prepared, { parameters, fields }: Answer, { types, columns }: Catalog): string {
  const { name, source } = made;
  const first = 'ofSystem' in made ? 0 : 1;
  const sent = made.parameters.map((parameter, i) => {
    const type = typeOf(SENT, types.get(parameters[first + i]), (element) => `List<${element}>`);
    return `${parameter}: ${type}${new RegExp(`\\$${parameter}\\?`).test(source) ? ' | null' : ''}`;
  });
  const outer = outerTables(source);
  const hasTables = !/(right|full) (outer )?join/i.test(source);
  const read = fields.map((field) => {
    const column = columns.get(`${field.tableID}.${field.columnID}`);
    const isNeverNull =
      source.includes(`"${field.name}!"`) || (column?.isNotNull && hasTables && !outer.has(column.table));
    const type = column?.values ?? typeOf(READ, types.get(field.dataTypeID), (element) => `${element}[]`);
    const isPlain = /^[a-z_$][\w$]*$/i.test(field.name);
    return `${isPlain ? field.name : `'${field.name}'`}: ${type}${isNeverNull ? '' : ' | null'}`;
  });
  const braces = (inner: string[]) => (inner.length === 0 ? '{}' : `{ ${inner.join('; ')} }`);
  return `${name}: { parameters: ${braces(sent)}; row: ${braces(read)} };`;
}

function typeOf(
  map: Record<string, string>,
  type: string | undefined,
  list: (element: string) => string,
): string {
  const element = type?.startsWith('_') ? type.slice(1) : null;
  const found = map[element ?? type ?? ''];
  if (!found) throw new Error(`there is no type for ${type}: cast it in the text`);
  return element === null ? found : list(found);
}

/**
 * The tables whose columns an outer join may have made null: the database reports them like the columns of
 * any other join. Of a subquery or a CTE these are all its tables.
 */
function outerTables(source: string): Set<string> {
  const found = new Set<string>();
  const add = (names: string[]) => {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      const cte = new RegExp(`\\b${name} as (not )?(materialized )?\\(`).exec(source);
      if (cte) add(tablesIn(withinParentheses(source, cte.index + cte[0].length)));
    }
  };
  for (const { 0: join, 1: name, index } of source.matchAll(/left join (?:lateral )?(\w+|\()/gi))
    add(name === '(' ? tablesIn(withinParentheses(source, index + join.length)) : [name]);
  return found;
}

const tablesIn = (sql: string) =>
  [...sql.matchAll(/(?:\b(?:from|join|update|into|lateral)|,)\s+(\w+)/gi)].map(([, name]) => name);

/** What stands from `start` on to the parenthesis that closes the one before it. */
function withinParentheses(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < text.length; end++) depth += { '(': 1, ')': -1 }[text[end]] ?? 0;
  return text.slice(start, end);
}

/** Parse, Describe and Sync: nothing is run. */
function describeOne(client: pg.Client, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { parameters: [], fields: [] };
    client.query({
      submit(connection: pg.Connection) {
        const messages = connection as unknown as import('node:events').EventEmitter & Messages;
        messages.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          answer.parameters = dataTypeIDs;
        });
        messages.parse({ text });
        messages.describe({ type: 'S', name: '' });
        messages.sync();
      },
      handleRowDescription: ({ fields }: { fields: pg.FieldDef[] }) => (answer.fields = fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(answer),
    } as unknown as pg.Submittable);
  });
}

/** The messages that a connection of the driver can send. */
interface Messages {
  parse(query: { text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
}
