import { DEFAULT_TAKE, idBelow, NEWEST_FIRST, type Page, pageOf } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ActorRecord, AuditRecord, ListAuditInput } from './audit.dto.js';
import {
  IS_PERSON,
  LIST_ACTORS,
  LIST_ALL,
  LIST_OF_KIND,
  LIST_OF_PERSON,
  LIST_OF_TARGET,
  LIST_REFUSED,
} from './audit-log.statements.js';
import { DAY_MS } from '../../platform/clock.js';

/**
 * The id of a row contains the time of writing, by the clock of the process that wrote it. That clock may be
 * behind by at most this much.
 */
const CLOCKS_DIFFER_MS = DAY_MS;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type AuditRow = Omit<AuditRecord, 'label'>;

/**
 * A page of the store's audit rows.
 * @param only the operations whose rows are shown; null is all, and whatever else is audited
 */
export async function listAudit(
  ctx: StoreContext,
  input: ListAuditInput,
  only: readonly string[] | null = null,
): Promise<Page<AuditRow>> {
  const { take = DEFAULT_TAKE, cursor, operation, target, targetKind, actorId, outcome, from, to } = input;
  const filter = { operation, target, targetKind, actorId, outcome };
  const rows = await ctx.session.read(await statementFor(ctx, input), {
    ...filter,
    only,
    bareId: target?.slice(target.indexOf(':') + 1),
    idBelow: idBelow(cursor),
    lowestId: from === undefined ? FIRST_ID : idAt(Date.parse(from) - CLOCKS_DIFFER_MS),
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    take: take + 1,
  });
  return pageOf<AuditRow>(rows, take, NEWEST_FIRST);
}

/** The actors whose ids can be given as `actorId`. */
export function listActors(ctx: StoreContext): Promise<ActorRecord[]> {
  return ctx.session.read(LIST_ACTORS);
}

/** Chooses the statement with the index of the most selective filter. */
async function statementFor(
  ctx: StoreContext,
  { target, targetKind, actorId, outcome }: ListAuditInput,
): Promise<typeof LIST_ALL> {
  if (target?.includes(':')) return LIST_OF_TARGET;
  if (outcome === 'forbidden') return LIST_REFUSED;
  if (actorId !== undefined && (await ctx.session.read(IS_PERSON, { actorId })).length > 0)
    return LIST_OF_PERSON;
  return targetKind !== undefined && targetKind !== 'order' ? LIST_OF_KIND : LIST_ALL;
}

/** The lowest version 7 UUID of a time. */
function idAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${FIRST_ID.slice(13)}`;
}
