import { Injectable } from '@nestjs/common';
import { declareSealed } from '../crypto/sealed-columns.js';
import { SecretBox } from '../crypto/secret-box.js';
import { statement } from '../database/statement.js';
import { auditedChanges } from '../store/audit.js';
import type { AuditDraft, AuditedChange, KeptValues, StoreContext } from '../store/store-context.js';

const KEEP_CHANGE = statement(
  'keep_change',
  `insert into kept_changes (store_id, activity_id, sealed_values, kept_at)
   values ($store, $activityId, $sealedValues, $now)`,
);

const REPLACE_KEPT_CHANGE = statement(
  'replace_kept_change',
  `update kept_changes set sealed_values = $sealedValues
   where store_id = $store and activity_id = $activityId`,
);

const FIND_KEPT_CHANGE = statement(
  'find_kept_change',
  `select sealed_values as "sealedValues" from kept_changes
   where store_id = $store and activity_id = $activityId`,
);

const purposeOf = (activityId: string) => `kept change:${activityId}`;
declareSealed('kept_changes', ['sealed_values'], (row) => purposeOf(row.activity_id));

export interface KeptChange extends KeptValues {
  changes: NonNullable<AuditDraft['changes']>;
}

/** What undoing a change needs and its audit row does not have whole (docs/behaviour.md §13.11). */
@Injectable()
export class KeptChanges {
  constructor(private readonly secrets: SecretBox) {}

  /** Most audit rows have everything, and then nothing is written. The statement is sent with the commit. */
  keep(ctx: StoreContext, { id: activityId, changes = {} }: AuditedChange, kept?: KeptValues): void {
    const text = JSON.stringify(changes);
    if (!kept && (text.length <= SURELY_WHOLE || JSON.stringify(auditedChanges(changes)) === text)) return;
    const values: KeptChange = { ...kept, changes };
    ctx.session.enqueue(KEEP_CHANGE, { ...this.sealed(activityId, values), now: ctx.now() });
  }

  /** For values that changed after the change. The audit row must be locked. */
  replace(ctx: StoreContext, activityId: string, values: KeptChange): void {
    ctx.session.enqueue(REPLACE_KEPT_CHANGE, this.sealed(activityId, values));
  }

  async find(ctx: StoreContext, activityId: string): Promise<KeptChange | null> {
    const [row] = await ctx.session.query(FIND_KEPT_CHANGE, { activityId });
    return row
      ? (JSON.parse(this.secrets.open(row.sealedValues, purposeOf(activityId))) as KeptChange)
      : null;
  }

  private sealed(activityId: string, values: KeptChange) {
    return { activityId, sealedValues: this.secrets.seal(JSON.stringify(values), purposeOf(activityId)) };
  }
}

/** Characters of changes in which no value can be long enough to be shortened. */
const SURELY_WHOLE = 512;
