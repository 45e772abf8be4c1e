import { actorOf, inputHash, usedKey } from '../../platform/call/idempotency.js';
import { IDEMPOTENCY_KEPT_MS } from '../../platform/database/retention.service.js';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import type { DtoClass } from '../../platform/schema/field-spec.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  FIND_CAMPAIGN_BY_INPUT,
  FIND_CAMPAIGN_BY_KEY,
  FREE_CAMPAIGN_KEY,
  LOCK_CAMPAIGN_INPUT,
} from './campaign.statements.js';

/** The campaign that a call goes on with; `repeated` if nothing but its input says so. */
export type KnownCampaign = RowOf<typeof FIND_CAMPAIGN_BY_INPUT> & { repeated?: true };

/** What makes two calls the same. */
export interface CallIdentity {
  actor: string;
  key: string | null;
  /** Whether the caller sent the key: then a new one is a new campaign. */
  isOwnKey: boolean;
  inputHash: string;
}

/** How long after its beginning a campaign is gone on with by a call whose caller sent no key. */
const REPEATED_MS = 3_600_000;
const UNFINISHED_MS = 24 * REPEATED_MS;

export function identityOf(
  ctx: StoreContext,
  operation: string,
  type: DtoClass,
  input: object,
): CallIdentity {
  const used = usedKey(ctx, operation, type, input);
  return {
    actor: actorOf(ctx),
    key: used && `${used.actor} ${used.key}`,
    isOwnKey: ctx.call?.headers['idempotency-key'] !== undefined,
    inputHash: inputHash(type, input),
  };
}

/** @returns null if the call repeats no campaign */
export async function findKnown(ctx: StoreContext, call: CallIdentity): Promise<KnownCampaign | null> {
  const { actor, key, isOwnKey, inputHash: hash } = call;
  if (!isOwnKey) ctx.session.enqueue(LOCK_CAMPAIGN_INPUT, { actor, inputHash: hash });
  const known = key === null ? null : await findByKey(ctx, key, call);
  return known ?? (isOwnKey ? null : findByInput(ctx, call));
}

/** @returns null if the key is new or free again */
async function findByKey(ctx: StoreContext, key: string, call: CallIdentity): Promise<KnownCampaign | null> {
  const oldest = new Date(ctx.now().getTime() - IDEMPOTENCY_KEPT_MS);
  const [known] = await ctx.session.read(FIND_CAMPAIGN_BY_KEY, { key, oldest });
  if (!known) return null;
  if (known.is_over) {
    // This is part of the transaction that inserts the new campaign with this key.
    ctx.session.enqueue(FREE_CAMPAIGN_KEY, { id: known.id });
    return null;
  }
  if (known.input_hash !== call.inputHash)
    throw invalidInput('Idempotency-Key was used with another input: use a new key for this campaign').about(
      'key_used',
    );
  return known;
}

async function findByInput(
  ctx: StoreContext,
  { actor, inputHash: hash }: CallIdentity,
): Promise<KnownCampaign | null> {
  const now = ctx.now().getTime();
  const since = { recent: new Date(now - REPEATED_MS), unfinished: new Date(now - UNFINISHED_MS) };
  const [known] = await ctx.session.query(FIND_CAMPAIGN_BY_INPUT, { actor, inputHash: hash, ...since });
  return known ? { ...known, repeated: true } : null;
}
