import { createHash } from 'node:crypto';
import { statement } from '../database/statement.js';
import type { Call } from './call.js';
import type { OperationSpec } from './operation.metadata.js';
import { invalidInput } from './operation-error.js';
import type { StoreContext } from './store-context.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
/** How long a first result is answered again. */
export const KEPT_MS = 24 * 3_600_000;

/** Waits for a call that is using the key right now. A row that is too old counts as none. $2 key, $3 operation, $4 input, $5 now, $6 oldest. */
const CLAIM_KEY = statement(
  'claim_idempotency_key',
  `insert into idempotency_keys as k (store_id, key, operation, input_hash, created_at) values ($1, $2, $3, $4, $5)
   on conflict (store_id, key) do update set operation = $3, input_hash = $4, response = null, created_at = $5
     where k.created_at <= $6 returning key`,
);

const FIND_KEY = statement(
  'find_idempotency_key',
  `select operation, input_hash, response from idempotency_keys where store_id = $1 and key = $2`,
);

const KEEP_RESPONSE = statement('keep_response', `update idempotency_keys set response = $3 where store_id = $1 and key = $2`);

/**
 * The `Idempotency-Key` of a call that changes something. The first result is kept in the transaction of its effect and answered
 * to repeats for 24 hours; a refused call keeps nothing.
 */
export class SafeRetry {
  private constructor(
    private readonly ctx: StoreContext,
    private readonly key: string,
  ) {}

  /**
   * @returns null without a key, the envelope of the first call, or the claim on the key for this one
   * @throws OperationError invalid_input for a malformed key, or one used with another operation or input
   */
  static async claim(ctx: StoreContext, operation: OperationSpec, call: Call): Promise<SafeRetry | string | null> {
    const key = call.headers['idempotency-key'];
    if (key === undefined || operation.scope === 'read' || operation.idempotencyKey === 'own') return null;
    if (typeof key !== 'string' || !KEY.test(key)) throw invalidInput('Idempotency-Key must be 1 to 255 printable characters');
    const now = ctx.now();
    const hash = createHash('sha256').update(JSON.stringify(call.input)).digest('hex');
    const oldest = new Date(now.getTime() - KEPT_MS);
    const claimed = await ctx.session.run(CLAIM_KEY, key, operation.name, hash, now, oldest);
    if (claimed.length > 0) return new SafeRetry(ctx, key);
    const [first] = await ctx.session.run<{ operation: string; input_hash: string; response: string }>(FIND_KEY, key);
    if (first.operation !== operation.name || first.input_hash !== hash) {
      throw invalidInput('Idempotency-Key was used before with another operation or input');
    }
    call.setHeader('Idempotent-Replayed', 'true');
    return first.response;
  }

  /** Keeps what is answered now for the repeats; travels with the commit. */
  keep(envelope: string): void {
    this.ctx.session.defer(KEEP_RESPONSE, this.key, envelope);
  }
}
