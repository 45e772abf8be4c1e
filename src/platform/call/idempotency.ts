import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { statement } from '../database/statement.js';
import type { Call } from '../store/call.js';
import type { OperationSpec } from './operation.metadata.js';
import { invalidInput } from '../errors.js';
import { IDEMPOTENCY_KEPT_MS } from '../database/retention.service.js';
import type { StoreContext } from '../store/store-context.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
/** An answer longer than this is not compressed, and one that stays longer than that is not kept. */
const LONGEST_ANSWER = 512 * 1024;
const LONGEST_KEPT = 64 * 1024;

/** The `Idempotency-Key` of a call, null without one. @throws OperationError invalid_input for a malformed key */
export function idempotencyKeyOf({ headers }: Pick<Call, 'headers'>): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw invalidInput('Idempotency-Key must be 1 to 255 printable characters');
  return key;
}

/** Whose a key is: two tokens of a store may use the same. */
export const idempotencyActor = ({ actor }: Pick<StoreContext, 'actor'>) => `${actor.kind}:${actor.id ?? actor.name}`;

/** Equal for equal inputs, in whatever order their properties came. */
export function inputHash(input: object): string {
  return createHash('sha256').update(JSON.stringify(input, withSortedKeys)).digest('hex');
}

function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Waits for a call that is using the key right now. A row that is too old counts as none. $2 actor, $3 key, $4 operation, $5 input, $6 now, $7 oldest. */
const CLAIM_KEY = statement(
  'claim_idempotency_key',
  `insert into idempotency_keys as k (store_id, actor, key, operation, input_hash, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (store_id, actor, key) do update set operation = $4, input_hash = $5, answer = null, created_at = $6
     where k.created_at <= $7 returning key`,
);

const FIND_KEY = statement(
  'find_idempotency_key',
  `select operation, input_hash, answer from idempotency_keys where store_id = $1 and actor = $2 and key = $3`,
);

const KEEP_ANSWER = statement(
  'keep_answer',
  `update idempotency_keys set answer = $4 where store_id = $1 and actor = $2 and key = $3`,
);

/**
 * The `Idempotency-Key` of a call that changes something. The first result is kept in the transaction of its effect and answered
 * to repeats for 24 hours; a refused call keeps nothing. An answer too large to keep is not answered again: a repeat is told so.
 */
export class Idempotency {
  private constructor(
    private readonly ctx: StoreContext,
    private readonly actor: string,
    private readonly key: string,
  ) {}

  /**
   * @returns null without a key, the envelope of the first call, or the claim on the key for this one
   * @throws OperationError invalid_input for a malformed key, one used with another operation or input, or an answer that was not kept
   */
  static async claim(ctx: StoreContext, operation: OperationSpec, call: Call): Promise<Idempotency | string | null> {
    if (operation.scope === 'read' || operation.idempotencyKey === 'own') return null;
    const key = idempotencyKeyOf(call);
    if (key === null) return null;
    const actor = idempotencyActor(ctx);
    const now = ctx.now();
    const hash = inputHash(call.input!);
    const oldest = new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
    const claimed = await ctx.session.run(CLAIM_KEY, actor, key, operation.name, hash, now, oldest);
    if (claimed.length > 0) return new Idempotency(ctx, actor, key);
    const [first] = await ctx.session.run<{ operation: string; input_hash: string; answer: Buffer | null }>(FIND_KEY, actor, key);
    if (first.operation !== operation.name || first.input_hash !== hash) {
      throw invalidInput('Idempotency-Key was used before with another operation or input');
    }
    if (first.answer === null) {
      throw invalidInput(
        'Idempotency-Key was used before by a call that succeeded, and its answer was too large to keep: nothing was done again, read what it changed',
      );
    }
    call.setHeader('Idempotent-Replayed', 'true');
    return gunzipSync(first.answer).toString('utf8');
  }

  /** Keeps what is answered now for the repeats; travels with the commit. */
  keep(envelope: string): void {
    const answer = envelope.length > LONGEST_ANSWER ? null : gzipSync(envelope, { level: 1 });
    if (answer && answer.length <= LONGEST_KEPT) this.ctx.session.send(KEEP_ANSWER, this.actor, this.key, answer);
  }
}
