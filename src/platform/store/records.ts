import { newId } from '../ids.js';
import { columnOf, columns } from '../database/columns.js';
import type { NewRow } from '../database/rows.js';
import type { StatementShape, ParametersOf, Statement } from '../database/statement.js';
import type { BigInteger } from '../database/statements.generated.js';
import type { RecordRow } from '../database/store-row.entity.js';
import { notFound } from '../errors.js';
import type { DtoClass } from '../schema/field-spec.js';
import type { Deleted } from '../schema/pages/page.dto.js';
import {
  DEFAULT_TAKE,
  idBelow,
  NEWEST_FIRST,
  type Page,
  type PageRequest,
  pageOf,
} from '../schema/pages/page.js';
import { present } from '../schema/present.js';
import { changedFields, deletion } from './audit.js';
import type { AuditTarget, StoreContext, TargetKind } from './store-context.js';
import { nextVersion } from './version.js';

/** A kind of record that is read, changed and deleted one record at a time. */
export interface RecordKind<Row extends RecordRow> {
  entity: new () => Row;
  /**
   * The name in refusals (`Payment provider`) and, in lower case, in audit targets (`payment_provider:<id>`).
   */
  name: string;
  /** The record as callers see it and as audit rows compare it. */
  output: DtoClass;
  /** Another unique field besides the id. Callers confuse the two. */
  alsoNamedBy?: keyof Row & string;
  /** The column by which that field is compared, if it is not compared as it is. */
  comparedBy?: { column: keyof Row & string; keyOf: (name: string) => string };
  /** When people last changed the record, if orders change it too: only that counts for `If-Match`. */
  editedAt?: (row: Row) => Date;
  /** A deleted one can be brought back, so its row is kept for a while. */
  isRestorable?: true;
}

type Own = 'id' | 'createdAt' | 'updatedAt';

export const targetOf = ({ name }: { name: string }, id: string): AuditTarget =>
  `${name.toLowerCase().replace(' ', '_') as TargetKind}:${id}`;

/** @throws OperationError not_found */
export async function getRecord<Row extends RecordRow>(
  ctx: StoreContext,
  kind: RecordKind<Row>,
  id: string,
  options: { lock?: boolean } = {},
): Promise<Row> {
  const row = await ctx.rows(kind.entity).findById(id, options);
  if (!row) throw notFound(kind.name, id, await otherName(ctx, kind, id));
  return row;
}

/**
 * The hint for a refused id that is really the record's other unique field: it names the right id. Empty if
 * it is not.
 */
export async function otherName<Row extends RecordRow>(
  ctx: StoreContext,
  { entity, alsoNamedBy, comparedBy }: Pick<RecordKind<Row>, 'entity' | 'alsoNamedBy' | 'comparedBy'>,
  name: string,
): Promise<string> {
  if (!alsoNamedBy) return '';
  const named = comparedBy ? { [comparedBy.column]: comparedBy.keyOf(name) } : { [alsoNamedBy]: name };
  const row = await ctx.rows(entity).findOne(named as Partial<Row>);
  return row ? `: this is its ${alsoNamedBy}, its id is ${row.id}` : '';
}

/** @param given the values that the audit row shows */
export async function createRecord<Row extends RecordRow>(
  ctx: StoreContext,
  kind: RecordKind<Row>,
  given: object,
  values: Omit<NewRow<Row>, Own>,
  id = newId(),
): Promise<Row> {
  const now = ctx.now();
  const row = await ctx
    .rows(kind.entity)
    .insert({ ...values, id, createdAt: now, updatedAt: now } as unknown as NewRow<Row>);
  ctx.audit.target = targetOf(kind, id);
  ctx.audit.changes = changedFields({}, given);
  return row;
}

/**
 * Locks and changes a record, and audits the values before and after. If nothing differs, nothing is written
 * and the version stays.
 * @param change the new values (undefined leaves a field unchanged), or a function that returns or refuses
 * them with the record locked
 * @throws OperationError not_found, precondition_failed
 */
export async function changeRecord<Row extends RecordRow>(
  ctx: StoreContext,
  kind: RecordKind<Row>,
  id: string,
  change: Partial<Row> | ((row: Row) => Partial<Row> | Promise<Partial<Row>>),
): Promise<Row> {
  const row = await lockRecord(ctx, kind, id);
  const values = typeof change === 'function' ? await change(row) : change;
  const given = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Row>;
  ctx.audit.changes = changedFields(present(kind.output, row), present(kind.output, { ...row, ...given }));
  if (Object.keys(ctx.audit.changes).length > 0) {
    const changed = { ...given, updatedAt: nextVersion(ctx, row.updatedAt) };
    await ctx.rows(kind.entity).update({ id: row.id } as Partial<Row>, changed);
    Object.assign(row, changed);
  }
  return row;
}

/**
 * Deletes a record. The audit row keeps the record as callers saw it.
 * @param shown what callers saw, if that is more than the row
 * @throws OperationError not_found, precondition_failed
 */
export async function deleteRecord<Row extends RecordRow>(
  ctx: StoreContext,
  kind: RecordKind<Row>,
  id: string,
  shown: (row: Row) => object | Promise<object> = (row) => row,
): Promise<Deleted> {
  const row = await lockRecord(ctx, kind, id);
  ctx.audit.changes = deletion(kind.output, await shown(row));
  if (kind.isRestorable) ctx.audit.kept = { ...ctx.audit.kept, row: byColumn(row) };
  await ctx.rows(kind.entity).delete({ id: row.id } as Partial<Row>);
  return { id: row.id, deleted: true };
}

const byColumn = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value as unknown]));

async function lockRecord<Row extends RecordRow>(
  ctx: StoreContext,
  kind: RecordKind<Row>,
  id: string,
): Promise<Row> {
  const row = await getRecord(ctx, kind, id, { lock: true });
  ctx.checkUnchanged(row.updatedAt, kind.editedAt?.(row));
  ctx.audit.target = targetOf(kind, row.id);
  return row;
}

/**
 * SQL for `readPage` that lists all records of a table, newest first.
 * @param and SQL of a condition on row `r`
 */
export const newestOf = <Row extends object>(table: string, of: new () => Row, and = '') =>
  `select ${columns(of, 'r')} from ${table} r where r.store_id = $store and r.id < $idBelow::uuid ${and}
   order by r.id desc limit $take`;

/** The parameters of every list. */
interface Paging {
  idBelow: string;
  take: BigInteger;
}

/** One page of a list, newest first. Its statement has `$idBelow` and `$take`; `filter` gives the others. */
export async function readPage<Of extends StatementShape & { parameters: Paging }>(
  ctx: StoreContext,
  list: Statement<Of>,
  { take = DEFAULT_TAKE, cursor }: PageRequest,
  ...[filter]: ParametersOf<{ parameters: Omit<Of['parameters'], keyof Paging>; row: object }>
): Promise<Page<Of['row']>> {
  const given = { ...filter, idBelow: idBelow(cursor), take: take + 1 };
  const rows = await ctx.session.read(list, ...([given] as unknown as ParametersOf<Of>));
  return pageOf(rows, take, NEWEST_FIRST);
}
