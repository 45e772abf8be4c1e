import { isUuid } from '../../platform/schema/formats.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { AuditRecord, NamedAuditRecord } from './audit.dto.js';
import { NAMES_OF_RECORDS } from './record-names.statements.js';

const idOf = (target: string) => target.slice(target.indexOf(':') + 1);

/** Rows of the audit log, each with the name that its record has now, or had when it was deleted. */
export async function withNames(ctx: StoreContext, rows: AuditRecord[]): Promise<NamedAuditRecord[]> {
  const targets = [...new Set(rows.flatMap(({ target }) => target ?? []))];
  const ofCustomers = targets.filter((target) => /^customer:\d{1,18}$/.test(target));
  const names = await ctx.session.read(NAMES_OF_RECORDS, {
    ids: targets.map(idOf).filter(isUuid),
    customerIds: ofCustomers.map(idOf),
  });
  const byTarget = new Map(names.map(({ target, name }) => [target, name]));
  return rows.map((row) => ({ ...row, targetName: byTarget.get(row.target ?? '') ?? nameBefore(row) }));
}

/** A deletion keeps the record as it was. */
function nameBefore({ changes }: AuditRecord): string | null {
  const before = (changes ?? {}) as Record<string, [unknown, unknown] | undefined>;
  const names = ['title', 'name', 'code', 'providerName', 'variantValue'].map((field) => before[field]?.[0]);
  return names.find((name) => typeof name === 'string') ?? null;
}
