import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Groups, Scope } from '../../access/rights.js';
import { newId } from '../ids.js';
import { changedFields } from '../store/audit.js';
import { Clock } from '../clock.js';
import { columns } from '../database/columns.js';
import { Listener } from '../database/connections/listener.js';
import { type RowOf, statement, systemStatement } from '../database/statement.js';
import { SystemDatabase } from '../database/system.js';
import type { Logger } from '../logging/logger.js';
import { isUuid } from '../schema/formats.js';
import { invalidInput } from '../errors.js';
import type { StoreContext } from '../store/store-context.js';
import { type Principal, suspension, SUSPENSION } from '../store/call.js';
import { hashToken, isWellFormedToken, newToken } from './token.js';

/**
 * The longest that a look-up is used after the moment up to which revocations have been heard, and that a
 * revocation waits for an instance that does not confirm it.
 */
const CACHE_MS = 5_000;
/** The longest that a look-up is used at all, for changes that notify nobody: an operator's own SQL. */
const LONGEST_MS = 60_000;
const MAX_CACHED = 50_000;
const CHANNEL = 'shop_token';
const STORE_CHANNEL = 'shop_tokens_of_store';
/**
 * Resolves when every instance of an installation looks the store's tokens up again, for whoever has none of
 * its services.
 */
export async function forgetTokensOf(storeId: string, directUrl: string, log: Logger): Promise<void> {
  const listener = new Listener(directUrl, log);
  // It is one of those that have to confirm.
  listener.onNotifyAll(STORE_CHANNEL, () => undefined);
  await listener.start();
  await listener.notifyAll(STORE_CHANNEL, storeId, CACHE_MS);
  await listener.close();
}

/** How many tokens of a store may be live, that is neither revoked nor expired. */
const MAX_TOKENS = 100;

interface KnownToken extends Principal {
  tokenId: string;
  expiresAt: Date | null;
  readAt: number;
}

const RECORD_COLUMNS = columns(
  ['id', 'name', 'scope', 'groups', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt', 'createdBy'],
  't',
);

const FIND = systemStatement(
  'find_token',
  `select t.store_id as "storeId", ${columns(['id', 'name', 'scope', 'groups', 'expiresAt'], 't')},
    s.currency, ${columns(SUSPENSION, 's')}
  from api_tokens t join stores s on s.id = t.store_id where t.token_hash = $hash and t.revoked_at is null`,
);

const CREATE = statement(
  'create_token',
  `insert into api_tokens as t (store_id, id, name, scope, groups, token_hash, created_at, expires_at,
     created_by)
   values ($store, $id, $name, $scope, $groups?, $hash, $now, $expiresAt?, $createdBy?)
   returning ${RECORD_COLUMNS}`,
);

/** Until the transaction ends, nobody else creates a token of the store, so that the count stays correct. */
const LOCK_TOKENS = statement(
  'lock_tokens',
  `select pg_advisory_xact_lock(hashtextextended('api_tokens:' || $store::text, 0))`,
);

const COUNT_LIVE = statement(
  'count_live_tokens',
  `select count(*)::int as "live!" from api_tokens
   where store_id = $store and revoked_at is null and (expires_at is null or expires_at > $now)`,
);

/** For the system role, because a store cannot see people's addresses. */
const LIST = systemStatement(
  'list_tokens',
  `select ${RECORD_COLUMNS}, u.email as "createdByEmail"
  from api_tokens t left join users u on u.id = t.created_by where t.store_id = $storeId order by t.id desc`,
);

export type TokenRecord = RowOf<typeof CREATE>;
export type ListedToken = RowOf<typeof LIST>;

/** The live tokens that somebody made. */
const LIVE_OF = statement(
  'live_tokens_of',
  `select ${columns(['id', 'name', 'scope'], 't')} from api_tokens t where t.store_id = $store
   and t.created_by = $userId and t.revoked_at is null and (t.expires_at is null or t.expires_at > $now)
   order by t.id desc`,
);

/** A token that somebody made, as it is told when they are removed. */
export type MadeToken = RowOf<typeof LIVE_OF>;

export interface NewToken {
  name: string;
  scope: Scope;
  /** Null or absent: every group. */
  groups?: Groups;
  expiresAt: Date | null;
}

/** Pairs of a store and a token, found by the primary key, which starts with the store. */
const USED = systemStatement(
  'note_used_tokens',
  `update api_tokens t set last_used_at = $now
  from unnest($storeIds::uuid[], $ids::uuid[]) as u (store_id, id)
  where t.store_id = u.store_id and t.id = u.id`,
);

const REVOKE = statement(
  'revoke_token',
  `update api_tokens set revoked_at = coalesce(revoked_at, $now) where store_id = $store and id = $id
   returning revoked_at as "at!", token_hash as hash`,
);

/**
 * API tokens of all stores. Look-ups are cached. A revocation is answered only once every instance has
 * dropped the token from its cache, so a token that was reported as revoked no longer works anywhere. Nothing
 * is cached while notifications cannot arrive. An instance that has not yet noticed that it lost them accepts
 * a revoked token for CACHE_MS at most.
 */
@Injectable()
export class TokenRegistry implements OnApplicationShutdown {
  private readonly cache = new Map<string, KnownToken>();
  /** The store of each token used since the last flush, by the token's id. */
  private readonly used = new Map<string, string>();
  /** Rises with every revocation, so that a look-up that was under way at that moment is not cached. */
  private revocations = 0;
  /** All revocations before this moment have been heard (ms since the epoch). */
  private heardUntil = -Infinity;

  constructor(
    private readonly database: SystemDatabase,
    private readonly listener: Listener,
    private readonly clock: Clock,
  ) {
    listener.onNotifyAll(CHANNEL, (hash) => {
      this.revocations++;
      this.cache.delete(hash);
    });
    listener.onNotifyAll(STORE_CHANNEL, (storeId) => {
      this.revocations++;
      for (const [hash, token] of this.cache) if (token.storeId === storeId) this.cache.delete(hash);
    });
    listener.onHeard((until) => (this.heardUntil = until));
    listener.onGap(() => {
      this.revocations++;
      this.cache.clear();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flushLastUsed().catch(() => undefined);
  }

  /**
   * Finds the caller that a bearer token belongs to; null when the token is malformed, unknown, expired or
   * revoked.
   */
  find(token: string): Principal | null | Promise<Principal | null> {
    const hash = hashToken(token);
    const known = this.cache.get(hash);
    if (known && this.isFresh(known)) return this.current(known);
    if (!isWellFormedToken(token)) return null;
    return this.load(hash).then((found) => found && this.current(found));
  }

  /**
   * @returns the record and the token itself, which is never returned again
   * @throws OperationError invalid_input when the store already has MAX_TOKENS live tokens
   */
  async create(
    ctx: StoreContext,
    { name, scope, groups = null, expiresAt }: NewToken,
  ): Promise<{ record: TokenRecord; token: string }> {
    ctx.session.enqueue(LOCK_TOKENS);
    const [{ live }] = await ctx.session.query(COUNT_LIVE, { now: ctx.now() });
    if (live >= MAX_TOKENS)
      throw invalidInput(`The store already has ${MAX_TOKENS} live tokens: revoke one first`).about(
        'tokens_most',
        { most: MAX_TOKENS },
      );
    const token = newToken();
    const [record] = await ctx.session.query(CREATE, {
      id: newId(),
      name,
      scope,
      groups: groups && [...groups],
      hash: hashToken(token),
      now: ctx.now(),
      expiresAt,
      createdBy: ctx.actor.kind === 'user' ? ctx.actor.id : null,
    });
    ctx.audit.target = `token:${record.id}`;
    ctx.audit.changes = changedFields({}, { name, scope, ...(groups ? { groups } : {}), expiresAt });
    return { record, token };
  }

  /** Newest first, including revoked ones. */
  list(ctx: StoreContext): Promise<ListedToken[]> {
    return this.database.query(LIST, { storeId: ctx.storeId });
  }

  /** The tokens that this person made and that still work, newest first. */
  liveOf(ctx: StoreContext, userId: string): Promise<MadeToken[]> {
    return ctx.session.query(LIVE_OF, { userId, now: ctx.now() });
  }

  /**
   * @returns when it was revoked, or null when the store has no such token. Revoking it again keeps the first
   * time.
   */
  async revoke(ctx: StoreContext, id: string): Promise<Date | null> {
    const now = ctx.now();
    const [row] = isUuid(id) ? await ctx.session.query(REVOKE, { id, now }) : [];
    if (!row) return null;
    ctx.audit.target = `token:${id.toLowerCase()}`;
    if (row.at.getTime() === now.getTime()) ctx.audit.changes = { revokedAt: [null, row.at] };
    ctx.session.onCommit(() => this.listener.notifyAll(CHANNEL, row.hash, CACHE_MS));
    return row.at;
  }

  /** Looks the store's tokens up again, on every instance, after the transaction has committed. */
  forgetStore(ctx: StoreContext): void {
    ctx.session.onCommit(() => this.forget(ctx.storeId));
  }

  /** Resolves when every instance looks the store's tokens up again. */
  forget(storeId: string): Promise<void> {
    return this.listener.notifyAll(STORE_CHANNEL, storeId, CACHE_MS);
  }

  /** A suspension may expire without a notification, so a barred token is read again sooner. */
  private isFresh({ readAt, refusal }: KnownToken): boolean {
    const now = Date.now();
    const known = refusal ? readAt : Math.max(readAt, this.heardUntil);
    return now < readAt + LONGEST_MS && now < known + CACHE_MS;
  }

  private current(token: KnownToken): Principal | null {
    if (token.expiresAt && token.expiresAt <= this.clock.now()) return null;
    this.used.set(token.tokenId, token.storeId);
    return token;
  }

  private async load(hash: string): Promise<KnownToken | null> {
    const heardBefore = this.revocations;
    const readAt = Date.now();
    const [row] = await this.database.read(FIND, { hash });
    if (!row) return null;
    const known: KnownToken = {
      tokenId: row.id,
      storeId: row.storeId,
      currency: row.currency,
      scope: row.scope,
      groups: row.groups,
      actor: { kind: 'token', id: row.id, name: row.name },
      budgetKey: row.id,
      refusal: suspension(row),
      expiresAt: row.expiresAt,
      readAt,
    };
    if (this.listener.connected && this.revocations === heardBefore) {
      if (this.cache.size >= MAX_CACHED) this.cache.clear();
      this.cache.set(hash, known);
    }
    return known;
  }

  /** Writes the collected last-used times together: a call must not wait for them. */
  async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used];
    this.used.clear();
    await this.database.query(USED, {
      storeIds: used.map(([, storeId]) => storeId),
      ids: used.map(([id]) => id),
      now: this.clock.now(),
    });
  }
}
