import type { Statements, SystemStatements } from './statements.generated.js';

/** The named parameters and the row of a statement, as PostgreSQL describes them. */
export interface StatementShape {
  parameters: object;
  row: object;
}

/** A fixed SQL text with named parameters, `$orderId`, which is prepared once per connection. */
interface Prepared<Of> {
  readonly name: string;
  /** The text as it is sent, with `$2` for `$orderId` and without marks. */
  readonly text: string;
  /** The names of the parameters that a call gives, in the order in which they are sent. */
  readonly parameters: readonly string[];
  /** The text as it was written, for the generator of the types. */
  readonly source: string;
  /** Exists only as a type. */
  readonly of?: Of;
}

/** A statement of one store, whose id is `$store`. */
export interface Statement<Of extends StatementShape = StatementShape> extends Prepared<Of> {
  /** The same statement, which also sets the store; see `carry`. */
  readonly settingStore: string;
  /** May take much longer than a look-up, so that other reads must not queue behind it. */
  readonly slow: boolean;
}

/** A statement of the system's database, which sees every store. */
export interface SystemStatement<Of extends StatementShape = StatementShape> extends Prepared<Of> {
  readonly ofSystem: true;
}

type Nothing = Record<never, never>;

/** What a call passes beside the statement: its parameters, or nothing if it has none. */
export type ParametersOf<Of extends StatementShape> = Nothing extends Of['parameters']
  ? []
  : [parameters: { [Name in keyof Of['parameters']]: OrUndefined<Of['parameters'][Name]> }];

/** The driver sends undefined as null, so a parameter that may be null may be an input that was not given. */
type OrUndefined<Value> = null extends Value ? Value | undefined : Value;

/** The row of a statement: `RowOf<typeof GET_ORDER>`. */
export type RowOf<Of extends Prepared<StatementShape>> = NonNullable<Of['of']>['row'];

/** A row with closer types of JSON and computed columns. A wider one, or an unknown name, is an error. */
type Narrowed<Of extends StatementShape, Row> = [keyof Row] extends [never]
  ? Of
  : { parameters: Of['parameters']; row: Omit<Of['row'], keyof Row> & Row };
type Narrower<Row, Given> = {
  [Name in keyof Given]: Name extends keyof Row
    ? Given[Name] extends Row[Name]
      ? Given[Name]
      : Row[Name]
    : never;
};

interface As<Row> {
  readonly as: Row;
}

/** Closer types than PostgreSQL knows, for the option `row`: `as<{ pricing: StoredPricing | null }>()`. */
export const as = <Row>() => ({}) as As<Row>;

/** Every statement of the modules that are loaded, by its name. */
export const declared = new Map<string, Statement<never> | SystemStatement<never>>();

/**
 * Declares a statement of one store. The types of its parameters and of its row are in
 * statements.generated.ts, which `npm run generate:statements` writes. Two marks in the text say what the
 * database cannot know, and are not sent: `$carrier?` may be null, and a column `as "total!"` never is,
 * although it is computed.
 * @throws Error for a name that is used twice, a text without `$store`, or one with a number, `$1`
 */
export function statement<
  Name extends keyof Statements,
  Row extends Narrower<Statements[Name]['row'], Row> = Nothing,
>(
  name: Name,
  source: string,
  { slow = false }: { slow?: boolean; row?: As<Row> } = {},
): Statement<Narrowed<Statements[Name], Row>> {
  const [store, ...parameters] = namesIn(source);
  if (store !== 'store') throw new Error(`statement ${name} must be limited to the store, $store`);
  const text = numbered(source, [store, ...parameters]);
  return declare({ name, text, settingStore: withStoreSetting(text), slow, source, parameters });
}

/** Declares a statement of the system's database, like `statement`, but not limited to a store. */
export function systemStatement<
  Name extends keyof SystemStatements,
  Row extends Narrower<SystemStatements[Name]['row'], Row> = Nothing,
>(
  name: Name,
  source: string,
  _options?: { row: As<Row> },
): SystemStatement<Narrowed<SystemStatements[Name], Row>> {
  const parameters = namesIn(source);
  return declare({ name, text: numbered(source, parameters), source, parameters, ofSystem: true });
}

function declare<Made extends Statement<never> | SystemStatement<never>>(made: Made): Made {
  if (declared.has(made.name)) throw new Error(`statement ${made.name} is declared twice`);
  if (/\$\d/.test(made.source)) throw new Error(`statement ${made.name} must name its parameters`);
  declared.set(made.name, made);
  return made;
}

const PARAMETER = /\$([a-z]\w*)\??/gi;

/** The names of parameters, each once, the store first. */
function namesIn(source: string): string[] {
  const names = new Set([...source.matchAll(PARAMETER)].map(([, name]) => name));
  return names.has('store') ? [...new Set(['store', ...names])] : [...names];
}

const numbered = (source: string, names: string[]) =>
  source.replace(PARAMETER, (_, name: string) => `$${names.indexOf(name) + 1}`).replace(/"(\w+)!"/g, '"$1"');

/**
 * Wraps a read so that it sets the store, which row-level security checks, in the same round trip and without
 * a transaction. The inner query reads the store from the row that set it, so it cannot run earlier. The
 * setting ends with the statement. OFFSET 0 keeps the planner from merging the two queries
 * (docs/decisions/0003-row-level-security.md).
 */
function withStoreSetting(text: string): string {
  return (
    `select r.* from (select set_config('shop.store_id', $1::text, true) as store offset 0) this_session ` +
    `cross join lateral (select * from (` +
    text.replace(/\$1\b(::uuid)?/g, 'this_session.store::uuid') +
    `) q offset 0) r`
  );
}
