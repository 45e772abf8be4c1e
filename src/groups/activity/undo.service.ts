import { labelled } from '../record-labels.js';
import { DELETION_LIMIT_MS } from '../../platform/database/connections/connection.js';
import { Injectable } from '@nestjs/common';
import { includesScope, mayCall } from '../../access/rights.js';
import { BOUNDS } from '../../platform/database/kept-bounds.service.js';
import { GONE, isAsGiven, KeptChanges } from '../../platform/call/kept-changes.service.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { UNDO_DAYS } from '../../platform/database/retention.service.js';
import { asRefusal, forbidden, invalidInput, notFound, OperationError } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { validateInput } from '../../platform/schema/validate.js';
import { auditedChanges, REMOVED, writeAudit } from '../../platform/store/audit.js';
import type {
  AuditDraft,
  AuditedChange,
  KeptValues,
  StoreContext,
} from '../../platform/store/store-context.js';
import type { UndoneRecord } from './activity.dto.js';
import { type Changes, FIND_ACTIVITY, MARK_UNDONE } from './undone.statements.js';
import type { Restored } from './restored-records.statements.js';
import { resumeHoldings, stockOfNow } from './current-stock.js';
import { LOCK_ORDERS } from '../order-locks.statements.js';
import type { Made } from './made-records.statements.js';
import { OTHER_WAYS, type Reversal, UNDO_KINDS } from './undo-kinds.js';
import { DAY_MS } from '../../platform/clock.js';

const OPERATION = 'undo_change';

const KEPT_NO_MORE =
  'activityId names a change of which what undoing needs is not kept any more: of one store ' +
  `${BOUNDS.kept_changes.bytes / 1024 ** 2} MB and ${BOUNDS.kept_changes.rows} changes are kept, and the ` +
  'oldest of the caller who has most go first';

const changedSince = (why: string) =>
  new OperationError(
    'precondition_failed',
    `It cannot be undone any more, and nothing was changed: ${why}`,
  ).about('not_undone');

/**
 * Puts back what a change of the audit log changed, by the operations themselves, with their rules, events
 * and audit rows: all of it or nothing (docs/behaviour.md §13.11).
 */
@Injectable()
export class UndoService {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly kept: KeptChanges,
  ) {}

  /** @throws OperationError as `plan`, precondition_failed if the change no longer stands */
  async undo(ctx: StoreContext, activityId: string): Promise<UndoneRecord> {
    const { operation, target, restored, kept, changes, reversals } = await this.plan(ctx, activityId);
    const audited: AuditedChange[] = [];
    const inner = ctx.with({ audited, isQuiet: true });
    if (restored) await this.restore(inner, restored, target, { ...kept, changes });
    await lockOrdersOf(ctx, reversals);
    for (const reversal of reversals) await this.reverse(inner, reversal);
    resumeHoldings(ctx, kept?.holdings);
    ctx.session.enqueue(MARK_UNDONE, { id: activityId, now: ctx.now() });
    const done = audited.map(({ id, operation: name, action = null, target: record, changes: made }) => ({
      id,
      operation: name,
      action,
      target: record,
      changes: auditedChanges(made),
    }));
    return { activityId, undone: operation, changes: await labelled(ctx, done) };
  }

  /**
   * What a person is asked before a change is undone: as before the calls that undo it.
   * @param most records that may be put back without a question
   */
  async question(ctx: StoreContext, activityId: string, most: number): Promise<string | null> {
    const { operation: undone, reversals, changes, kept } = await this.plan(ctx, activityId);
    const linked = Object.values(kept?.links ?? {}).reduce((count, ids) => count + ids.length, 1);
    const concerned = Math.max(reversals.length, linked, new Set(Object.keys(changes).map(recordOf)).size);
    if (concerned > most) return `Undo ${undone}: ${concerned} records?`;
    for (const { operation: name, input, needs = [] } of reversals) {
      const operation = this.operations.find(name)!;
      if (typeof operation.asks === 'function')
        return operation.asks(ctx, validateInput(operation.input, input) as never).catch(refused);
      if (needs.some((needed) => this.operations.find(needed)!.asks))
        return 'Put the checkout form back, and with it the payment providers?';
    }
    return null;
  }

  /** @throws OperationError not_found, invalid_input, forbidden; precondition_failed if it was undone */
  private async plan(ctx: StoreContext, activityId: string) {
    const row = await this.find(ctx, activityId);
    const { operation, target } = row;
    this.operations.requireOffered(ctx, operation);
    const kind = Object.hasOwn(UNDO_KINDS, operation) ? UNDO_KINDS[operation] : undefined;
    if (!kind) {
      const way = Object.hasOwn(OTHER_WAYS, operation) ? `: ${OTHER_WAYS[operation]}` : '';
      throw invalidInput(`activityId names a call of ${operation}, which cannot be undone${way}`);
    }
    if (row.outcome !== 'ok') throw invalidInput('activityId names a call that was refused');
    if (ctx.now().getTime() - row.at.getTime() > UNDO_DAYS * DAY_MS)
      throw invalidInput(`activityId names a change that is older than ${UNDO_DAYS} days`);
    if (row.undoneAt) throw changedSince('it was undone before');
    const kept = await this.kept.find(ctx, activityId);
    if (kept === GONE) throw invalidInput(KEPT_NO_MORE);
    const changes = kept?.changes ?? row.changes ?? {};
    const isOfProvider = operation === 'update_payment_provider';
    const isLost = ([name, pair]: [string, unknown]) =>
      !Object.hasOwn(kept?.before ?? {}, name) &&
      (JSON.stringify(pair).includes(REMOVED) ||
        (isOfProvider && (name === 'providerToken' || name === 'metadata')));
    if (Object.entries(changes).some(isLost))
      throw invalidInput('activityId names a change of secrets, which are not kept');
    const known = { operation, target, kept, changes };
    if ('restored' in kind) return { ...known, restored: kind.restored, reversals: [] };
    const id = target.slice(target.indexOf(':') + 1);
    const { input } = row;
    const isStock = 'setsStock' in kind;
    const done = isStock
      ? await stockOfNow(ctx, target, { changes, at: row.at, holdings: kept?.holdings }).catch(refused)
      : changes;
    const reversals =
      'made' in kind
        ? await deletions(ctx, kind.made, changes)
        : kind.by({ ...kept, id, target, input, changes: done });
    if (reversals.length === 0) throw invalidInput('activityId names a call that changed nothing');
    for (const { needs = [] } of reversals) this.requireAllowed(ctx, needs);
    return { ...known, restored: null, reversals };
  }

  /** The row, if list_activity would show it; it is locked, so that it is undone once. */
  private async find(ctx: StoreContext, id: string) {
    const principal = ctx.call!.auth.principal!;
    const [row] = isUuid(id) ? await ctx.session.query(FIND_ACTIVITY, { id }) : [];
    const { kind, id: actorId } = ctx.actor;
    const isOwn = row?.actorKind === kind && row.actorId === actorId;
    const isSeen =
      row &&
      (isOwn || includesScope(principal.scope, 'admin')) &&
      (this.operations.find(row.operation)
        ? mayCall(principal, this.operations.neededFor(row.operation))
        : this.operations.list().every(({ name }) => mayCall(principal, this.operations.neededFor(name))));
    if (!isSeen) throw notFound('Activity', id);
    return row;
  }

  /**
   * On the dashboard update_checkout itself does what else it needs.
   * @throws OperationError forbidden
   */
  private requireAllowed(ctx: StoreContext, names: string[]): void {
    const { call } = ctx;
    if (call!.transport === 'dashboard') return;
    for (const name of names) this.operations.requireOffered(ctx, name);
    const missing = names.find((name) => !mayCall(call!.auth.principal!, this.operations.neededFor(name)));
    if (missing)
      throw forbidden(
        `Undoing this needs ${missing} too, which this token does not allow; nothing was changed`,
      );
  }

  /** @throws OperationError precondition_failed if the call is refused, or does not put back what it must */
  private async reverse(
    ctx: StoreContext,
    { operation: name, input, expected, kept }: Reversal,
  ): Promise<void> {
    const operation = this.operations.find(name)!;
    const before = ctx.audited!.length;
    const check = () => {
      const { changes = {} } = ctx.audited![before];
      for (const [field, pair] of Object.entries(expected)) {
        const isStill =
          Object.hasOwn(changes, field) && changes[field].every((value, i) => isAsGiven(value, pair[i]));
        if (!isStill) throw changedSince(`${field} has been changed since`);
      }
    };
    try {
      await this.operations.within(ctx, operation, input, {
        check,
        isAdmitted: true,
        draft: { action: OPERATION, kept },
      });
    } catch (error) {
      refused(error);
    }
  }

  private async restore(
    ctx: StoreContext,
    { row: insert, links, tree }: Restored,
    target: string,
    { row, links: ids = {}, changes }: KeptValues & { changes: Changes },
  ): Promise<void> {
    if (!row) throw invalidInput('activityId names a deletion of which nothing was kept');
    const { id } = row as { id: string };
    const now = ctx.now();
    const json = JSON.stringify({ ...row, store_id: ctx.storeId, updated_at: now });
    await ctx.session.allow(DELETION_LIMIT_MS);
    try {
      if (tree) ctx.session.enqueue(tree.lock);
      await ctx.session.query(insert, { row: json });
      for (const [table, { lock, link }] of Object.entries(links)) {
        const linked = { ids: ids[table] ?? [] };
        // Many ids take long to write down, so each statement does that in a turn of its own.
        await ctx.session.query(lock, linked);
        await ctx.session.query(link, { ...linked, id, now });
      }
      if (tree && (await ctx.session.query(tree.isInCircle, { id })).length > 0)
        throw changedSince('its former parent is below it by now');
    } catch (error) {
      refused(error);
    }
    const back = Object.fromEntries(Object.entries(changes).map(([name, [value]]) => [name, [null, value]]));
    writeAudit(ctx, {
      operation: OPERATION,
      transport: ctx.call!.transport,
      input: ctx.call!.input,
      target: target as AuditDraft['target'],
      changes: back as Changes,
      outcome: 'ok',
    });
  }
}

/** `variant:<id>.price` names its record; other fields are of one record. */
const recordOf = (path: string) => /^([a-z_]+:[^.]+)/.exec(path)?.[1] ?? '';

/** Locks several orders before the first is changed, by their ids, as other calls do. */
async function lockOrdersOf(ctx: StoreContext, reversals: Reversal[]): Promise<void> {
  const orderIds = reversals.flatMap(({ input: { orderId } }) =>
    typeof orderId === 'number' ? orderId : [],
  );
  if (orderIds.length > 1) await ctx.session.query(LOCK_ORDERS, { orderIds });
}

/**
 * Deletions of all that a call made.
 * @throws OperationError precondition_failed if something has changed or uses one of them since
 */
async function deletions(ctx: StoreContext, made: readonly Made[], changes: Changes): Promise<Reversal[]> {
  const records = Object.entries(changes).flatMap(([path, [before]]) =>
    before === null && !path.includes('.') ? [path.split(':')] : [],
  );
  if (records.length < Object.keys(changes).length)
    throw invalidInput(
      `activityId names a call that also changed what existed: update_${made[0].kind}s puts that back, and ` +
        `delete_${made[0].kind} removes what it made`,
    );
  const reversals: Reversal[] = [];
  for (const { kind, untouched } of made) {
    const ids = records.flatMap(([of, id]) => (of === kind ? id : []));
    const left = new Set((await ctx.session.query(untouched, { ids })).map(({ id }) => id));
    const touched = ids.find((id) => !left.has(id));
    if (touched !== undefined)
      throw changedSince(`${kind} ${touched} was changed, ordered, used or deleted since`);
    for (const id of ids)
      reversals.push({ operation: `delete_${kind}`, input: { id, confirm: true }, expected: {} });
  }
  return reversals;
}

/**
 * @throws a refusal as one that is about the record as it is now, and not about what the caller gave; but
 * what the caller may not do, such as giving out more than an app's daily limit, as it is
 */
function refused(error: unknown): never {
  const refusal = asRefusal(error);
  const isKept = !refusal || ['precondition_failed', 'forbidden'].includes(refusal.code);
  throw isKept ? error : changedSince(refusal.message);
}
