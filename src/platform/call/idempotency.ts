import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { IDEMPOTENCY_KEPT_MS } from '../database/retention.service.js';
import { isDeadlock } from '../database/connections/connection.js';
import { statement } from '../database/statement.js';
import { invalidInput } from '../errors.js';
import { type DtoClass, fieldsByName } from '../schema/field-spec.js';
import { isPlainObject } from '../schema/json/parse-input.js';
import type { UsedKey } from '../store/call.js';
import type { StoreContext } from '../store/store-context.js';

/** Longer than any call takes to claim the key that it looked for. */
const MINUTE_MS = 60_000;
const KEY = /^[\x20-\x7e]{1,255}$/;
/**
 * The longest answer that is compressed, and the longest compressed answer that is kept. Longer ones are not
 * kept.
 */
const LONGEST_ANSWER = 512 * 1024;
const LONGEST_KEPT = 64 * 1024;

/** A table of keys, each with the data from which a repeat is answered. */
export interface KeyTable<Kept> {
  /**
   * Returns a row if the key now belongs to this call. Waits for a call that is using the key at the moment.
   * A key older than `oldest` is free again.
   */
  claim(ctx: StoreContext, used: UsedKey, now: Date, oldest: Date): Promise<unknown[]>;
  find(
    ctx: StoreContext,
    used: UsedKey,
  ): Promise<{ operation?: string; inputHash: string; kept: Kept | null }[]>;
  /** The refusal of a key that belongs to another call. */
  misused: string;
}

/** The caller as one text: each caller has keys, previews and campaigns of its own. */
export const actorOf = ({ actor }: Pick<StoreContext, 'actor'>): string =>
  `${actor.kind}:${actor.id ?? actor.name}`;

/**
 * The key of the context's call: the caller's, or else the call's own; null if it has none.
 * @param type the class of the input
 * @throws OperationError invalid_input for a malformed key
 */
export function usedKey(ctx: StoreContext, operation: string, type: DtoClass, input: object): UsedKey | null {
  const { headers, key: own } = ctx.call ?? {};
  const given = headers?.['idempotency-key'];
  if (given !== undefined && (typeof given !== 'string' || !KEY.test(given)))
    throw invalidInput('Idempotency-Key must be 1 to 255 printable characters');
  const key = given ?? (own?.mode === 'stepwise' ? own.value.key : own?.value);
  if (key === undefined) return null;
  return {
    actor: actorOf(ctx),
    key,
    operation,
    inputHash: inputHash(type, input),
  };
}

/**
 * Claims the key for this call in the call's own transaction, so that a refused call leaves no key behind.
 * @returns null for the first call with this key; for a repeat, what was kept of the first call (null if
 * nothing was)
 * @throws OperationError invalid_input for a key that belongs to another operation or input
 */
export async function firstUse<Kept>(
  ctx: StoreContext,
  used: UsedKey,
  keys: KeyTable<Kept>,
): Promise<{ kept: Kept | null } | null> {
  const now = ctx.now();
  const oldest = new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
  if ((await keys.claim(ctx, used, now, oldest)).length > 0) return null;
  const [{ operation = used.operation, inputHash, kept }] = await keys.find(ctx, used);
  if (operation !== used.operation || inputHash !== used.inputHash)
    throw invalidInput(keys.misused).about('key_used');
  return { kept };
}

/**
 * Whether the key was used before, as far as one can see without a transaction: a call that is using it at
 * the moment is not seen, nor a key that becomes free before this call can claim it.
 */
export async function isUsed(ctx: StoreContext, { actor, key }: UsedKey): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - IDEMPOTENCY_KEPT_MS + MINUTE_MS);
  return (await ctx.session.read(FIND_USED_KEY, { actor, key, since })).length > 0;
}

/** Says that the call is answered with the result of an earlier one. */
export function replayed({ call }: StoreContext): void {
  if (!call) return;
  call.isReplayed = true;
  call.setHeader('Idempotent-Replayed', 'true');
}

/**
 * A hash that is equal for equal inputs. The order of properties does not matter, nor does that of a list
 * declared as a set.
 */
export function inputHash(type: DtoClass, input: object): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(input, type)))
    .digest('hex');
}

function canonical(value: unknown, type?: DtoClass): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, type));
  if (!isPlainObject(value)) return value;
  const members = Object.keys(value).sort();
  return Object.fromEntries(
    members.map((name) => {
      const field = type && fieldsByName(type).get(name);
      const inner = canonical(value[name], field?.nested?.type());
      return [name, field?.unordered && Array.isArray(inner) ? [...new Set(inner)].sort() : inner];
    }),
  );
}

const CLAIM_KEY = statement(
  'claim_idempotency_key',
  `insert into idempotency_keys as k (store_id, actor, key, operation, input_hash, created_at)
   values ($store, $actor, $key, $operation, $inputHash, $now)
   on conflict (store_id, actor, key) do update
     set operation = $operation, input_hash = $inputHash, answer = null, created_at = $now
     where k.created_at <= $oldest returning key`,
);

const FIND_KEY = statement(
  'find_idempotency_key',
  `select operation, input_hash as "inputHash", answer as kept from idempotency_keys
   where store_id = $store and actor = $actor and key = $key`,
);

const FIND_USED_KEY = statement(
  'find_used_key',
  `select key from idempotency_keys
   where store_id = $store and actor = $actor and key = $key and created_at > $since`,
);

const LOCK_KEY = statement(
  'lock_idempotency_key',
  `select answer as kept from idempotency_keys
   where store_id = $store and actor = $actor and key = $key for update`,
);

const KEEP_ANSWER = statement(
  'keep_answer',
  `update idempotency_keys set answer = $answer where store_id = $store and actor = $actor and key = $key`,
);

/** The keys of operations, kept with the first answer for 24 hours. */
export const ANSWERS: KeyTable<Buffer> = {
  claim: ({ session }, used, now, oldest) => session.query(CLAIM_KEY, { ...used, now, oldest }),
  find: ({ session }, { actor, key }) => session.query(FIND_KEY, { actor, key }),
  misused: 'Idempotency-Key was used before with another operation or input',
};

/**
 * Keeps an answer for repeats. The statement is sent with the commit. An answer that is too large is not
 * kept.
 */
export function keepAnswer({ session }: StoreContext, { actor, key }: UsedKey, envelope: string): void {
  const answer = envelope.length > LONGEST_ANSWER ? null : gzipSync(envelope, { level: 1 });
  if (answer && answer.length <= LONGEST_KEPT) session.enqueue(KEEP_ANSWER, { actor, key, answer });
}

/**
 * For a call whose parts are committed, before it is finished: whoever else did the same parts waits.
 * @returns the answer, if another call with the key has been the first to finish
 */
export async function answerOfAnother(
  { session }: StoreContext,
  { actor, key }: UsedKey,
): Promise<{ kept: Buffer } | null> {
  const [row] = await session.query(LOCK_KEY, { actor, key });
  return row?.kept ? { kept: row.kept } : null;
}

/**
 * Does a part of a `stepwise` call, in a transaction of its own, which stays whatever becomes of the others.
 * Under an Idempotency-Key each part is done once: who repeats the call, after a crash or beside the first
 * one, gets what was kept of the part. A part that the database ends because of a deadlock is done once
 * more.
 * @param name the part's, the same in every repeat
 */
export async function part<Result extends object>(
  ctx: StoreContext,
  name: string,
  work: (own: StoreContext) => Promise<Result>,
): Promise<Result> {
  const own = ctx.call?.key;
  const used = own?.mode === 'stepwise' ? own.value : undefined;
  // A caller's key has no line break.
  const key = used && { ...used, key: `${used.key}\n${name}` };
  for (let isRepeat = false; ; isRepeat = true) {
    const own = ctx.with({ audit: {} });
    try {
      const before = key && (await firstUse(own, key, ANSWERS));
      if (before) return JSON.parse(textOf(before)) as Result;
      const result = await work(own);
      if (key) keepAnswer(own, key, JSON.stringify(result));
      await ctx.session.commit();
      return result;
    } catch (error) {
      await ctx.session.rollback();
      if (isRepeat || !isDeadlock(error) || ctx.session.isRehearsal) throw error;
    }
  }
}

/**
 * Answers with the result of the first call, and says so.
 * @throws OperationError invalid_input when the answer was not kept
 */
export function answerAgain(ctx: StoreContext, before: { kept: Buffer | null }): string {
  replayed(ctx);
  return textOf(before);
}

function textOf({ kept }: { kept: Buffer | null }): string {
  if (kept !== null) return gunzipSync(kept).toString('utf8');
  throw invalidInput(
    'Idempotency-Key was used before by a call that succeeded, and its answer, too large or with a secret, ' +
      'was not kept: nothing was done again, read what it changed',
  ).about('key_used');
}
