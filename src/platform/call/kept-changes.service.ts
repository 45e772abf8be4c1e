import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { declareSealed } from '../crypto/sealed-columns.js';
import { SecretBox } from '../crypto/secret-box.js';
import { KeptBounds } from '../database/kept-bounds.service.js';
import { statement } from '../database/statement.js';
import { isSameJson, sortedJson } from '../schema/json/same-json.js';
import { auditedChanges, REMOVED } from '../store/audit.js';
import { EventLoopYield, longTurn } from '../timers.js';
import type { AuditDraft, AuditedChange, KeptValues, StoreContext } from '../store/store-context.js';
import { actorOf } from './idempotency.js';

const KEEP_CHANGE = statement(
  'keep_change',
  `insert into kept_changes (store_id, activity_id, actor, sealed_values, bytes, kept_at)
   values ($store, $activityId, $actor, $sealedValues, $bytes, $now)`,
);

const REPLACE_KEPT_CHANGE = statement(
  'replace_kept_change',
  `update kept_changes set sealed_values = $sealedValues, bytes = $bytes
   where store_id = $store and activity_id = $activityId`,
);

const FIND_KEPT_CHANGE = statement(
  'find_kept_change',
  `select sealed_values as "sealedValues" from kept_changes
   where store_id = $store and activity_id = $activityId`,
);

const purposeOf = (activityId: string) => `kept change:${activityId}`;
declareSealed('kept_changes', ['sealed_values'], (row) => purposeOf(row.activity_id));

type Changes = NonNullable<AuditDraft['changes']>;

export interface KeptChange extends KeptValues {
  /** Where the value after the change is long, a LongValue is in its place. */
  changes: Changes;
}

/** A long value after a change, of which only a hash is kept: it must still be there when it is undone. */
class LongValue {
  constructor(readonly sha256: string) {}

  static of(value: unknown): LongValue {
    return new LongValue(createHash('sha256').update(sortedJson(value)).digest('hex'));
  }
}

/** Beyond the bounds of the store the values of the oldest changes go. */
export const GONE = 'gone';

/** Characters of JSON up to which a value after a change is kept itself. */
const LONGEST_AFTER = 100;

/** Whether a value is the one that a change gave, which may be a LongValue. Equal is equal as JSON. */
export const isAsGiven = (value: unknown, given: unknown): boolean =>
  given instanceof LongValue
    ? LongValue.of(value ?? null).sha256 === given.sha256
    : isSameJson(value ?? null, given ?? null);

/** What undoing a change needs and its audit row does not have whole (docs/behaviour.md §13.11). */
@Injectable()
export class KeptChanges {
  constructor(
    private readonly secrets: SecretBox,
    private readonly bounds: KeptBounds,
  ) {}

  /**
   * Most audit rows have everything, and then nothing is written. The statement is sent with the commit.
   * @returns a promise if it is so much that other calls have their turn meanwhile
   */
  keep(
    ctx: StoreContext,
    { id: activityId, changes = {} }: AuditedChange,
    kept?: KeptValues,
  ): Promise<void> | undefined {
    const whole = JSON.stringify(changes);
    if (!kept && whole.length <= SURELY_WHOLE) return undefined;
    const isInRow = () => !kept && JSON.stringify(auditedChanges(changes)) === whole;
    const save = (deflated: Buffer) => {
      const sealed = this.sealed(activityId, deflated);
      ctx.session.enqueue(KEEP_CHANGE, { ...sealed, actor: actorOf(ctx), now: ctx.now() });
      this.bounds.hold(ctx.session, 'kept_changes', sealed.bytes);
    };
    const keepLong = async () => {
      await longTurn();
      if (isInRow()) return;
      save(await deflateElsewhere(await longTextOf({ ...kept, changes }), FAST));
    };
    if (whole.length > LONG_TEXT) return keepLong();
    if (isInRow()) return undefined;
    const text = textOf({ ...kept, changes });
    if (text.length > LONG_TEXT) return deflateElsewhere(text, FAST).then(save);
    save(deflateRawSync(text, FAST));
    return undefined;
  }

  /** For values that changed after the change. The audit row must be locked. */
  replace(ctx: StoreContext, activityId: string, values: KeptChange): void {
    ctx.session.enqueue(REPLACE_KEPT_CHANGE, this.sealed(activityId, deflateRawSync(textOf(values), FAST)));
  }

  /** @returns null if the audit row has everything; GONE if it was kept and is not any more */
  async find(ctx: StoreContext, activityId: string): Promise<KeptChange | typeof GONE | null> {
    const [row] = await ctx.session.query(FIND_KEPT_CHANGE, { activityId });
    if (!row) return null;
    if (row.sealedValues === '') return GONE;
    const bytes = this.secrets.openBytes(row.sealedValues, purposeOf(activityId));
    const text = bytes.length > LONG_TEXT ? await inflateElsewhere(bytes) : inflateRawSync(bytes);
    const { changes, ...others } = JSON.parse(text.toString()) as KeptChange;
    return { ...others, changes: mapped(changes, asGiven) };
  }

  private sealed(activityId: string, deflated: Buffer) {
    const sealedValues = this.secrets.seal(deflated, purposeOf(activityId));
    return { activityId, sealedValues, bytes: sealedValues.length };
  }
}

/** Characters, and compressed bytes, of which compressing would keep the event loop for long. */
const LONG_TEXT = 64 * 1024;
const FAST = { level: 1 };
const deflateElsewhere = promisify(deflateRaw);
const inflateElsewhere = promisify(inflateRaw);
const textOf = ({ changes, ...others }: KeptChange): string =>
  JSON.stringify({ ...others, changes: mapped(changes, asKept) });

/** The same, with turns of other calls in between. */
async function longTextOf({ changes, ...others }: KeptChange): Promise<string> {
  const kept: Record<string, unknown> = {};
  await longTurn();
  const pace = new EventLoopYield();
  for (const [name, pair] of Object.entries(changes)) {
    kept[name] = asKept(pair);
    await pace.rest();
  }
  return JSON.stringify({ ...others, changes: kept });
}

/** Characters of changes in which no value can be long enough to be shortened. */
const SURELY_WHOLE = 512;

type Pair = Changes[string];
const mapped = (changes: Changes, map: (pair: Pair) => unknown[]): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, pair]) => [name, map(pair) as Pair]));

/** A third member is the hash of a long value after the change. */
function asKept([before, after]: Pair): unknown[] {
  if (after instanceof LongValue) return [before, null, after.sha256];
  const text = JSON.stringify(after) ?? '';
  // What undoing must not put back is told by its sign.
  if (text.length <= LONGEST_AFTER || text.includes(REMOVED)) return [before, after];
  return [before, null, LongValue.of(after).sha256];
}

const asGiven = ([before, after, sha256]: unknown[]): unknown[] => [
  before,
  typeof sha256 === 'string' ? new LongValue(sha256) : after,
];
