import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { newId } from '../ids.js';
import { changedFields } from '../store/audit.js';
import { Clock } from '../clock.js';
import { Listener } from '../database/listener.js';
import { statement } from '../database/statement.js';
import { SystemDatabase } from '../database/system.js';
import { isUuid } from '../schema/formats.js';
import { invalidInput } from '../errors.js';
import type { StoreContext } from '../store/store-context.js';
import type { Principal, Scope } from '../store/principal.js';
import { hashToken, isWellFormedToken, newToken } from './token.js';

/** A look-up is kept this long at most; a revocation waits this long for an instance that does not say it has heard of it. */
const CACHE_MS = 5_000;
const MAX_CACHED = 50_000;
const LAST_USED_FLUSH_MS = 15_000;
const CHANNEL = 'shop_token';
/** Live tokens a store may have: neither revoked nor expired. */
const MAX_TOKENS = 100;

interface KnownToken extends Principal {
  tokenId: string;
  expiresAt: Date | null;
  cachedUntil: number;
}

export interface TokenRecord extends Record<string, unknown> {
  id: string;
  name: string;
  scope: Scope;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const RECORD_COLUMNS = `id, name, scope, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

const CREATE = statement(
  'create_token',
  `insert into api_tokens (store_id, id, name, scope, token_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${RECORD_COLUMNS}`,
);

/** Until the transaction ends nobody else makes a token of the store, so that the count holds. */
const LOCK_TOKENS = statement('lock_tokens', `select pg_advisory_xact_lock(hashtextextended('api_tokens:' || $1::text, 0))`);

const COUNT_LIVE = statement(
  'count_live_tokens',
  `select count(*)::int as live from api_tokens
   where store_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
);

const LIST = statement('list_tokens', `select ${RECORD_COLUMNS} from api_tokens where store_id = $1 order by id desc`);

/** Tokens $2 of the stores $1, pairwise: by their key, which begins with the store. */
const USED = `
  update api_tokens t set last_used_at = $3 from unnest($1::uuid[], $2::uuid[]) as u (store_id, id) where t.store_id = u.store_id and t.id = u.id`;

const REVOKE = statement(
  'revoke_token',
  `update api_tokens set revoked_at = coalesce(revoked_at, $3) where store_id = $1 and id = $2
   returning revoked_at as at, token_hash as hash`,
);

/**
 * API tokens of all stores. Look-ups are cached; the commit of a revocation ends when every instance has dropped the token, so
 * whoever is answered that a token is revoked can rely on it everywhere. While notifications cannot arrive nothing is cached; an
 * instance that has lost them without knowing it yet accepts a token for CACHE_MS at most.
 */
@Injectable()
export class TokenRegistry implements OnModuleInit, OnApplicationShutdown {
  private readonly cache = new Map<string, KnownToken>();
  /** Stores of tokens, by the token's id. */
  private readonly used = new Map<string, string>();
  private timer: NodeJS.Timeout;
  /** Rises with every revocation heard of, so that a look-up under way then is not kept. */
  private revocations = 0;

  constructor(
    private readonly database: SystemDatabase,
    private readonly listener: Listener,
    private readonly clock: Clock,
  ) {
    listener.onNotifyAll(CHANNEL, (hash) => {
      this.revocations++;
      this.cache.delete(hash);
    });
    listener.onGap(() => {
      this.revocations++;
      this.cache.clear();
    });
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flushLastUsed().catch(() => undefined), LAST_USED_FLUSH_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushLastUsed().catch(() => undefined);
  }

  /** The caller a bearer token stands for, or null when it is malformed, unknown, expired or revoked. */
  find(token: string): Principal | null | Promise<Principal | null> {
    const hash = hashToken(token);
    const known = this.cache.get(hash);
    if (known && known.cachedUntil > Date.now()) return this.current(known);
    if (!isWellFormedToken(token)) return null;
    return this.load(hash).then((found) => found && this.current(found));
  }

  /**
   * @returns the record and, this once, the token itself
   * @throws OperationError invalid_input when the store has as many live tokens as it may
   */
  async create(
    ctx: StoreContext,
    { name, scope, expiresAt }: { name: string; scope: Scope; expiresAt: Date | null },
  ): Promise<{ record: TokenRecord; token: string }> {
    ctx.session.send(LOCK_TOKENS);
    const [{ live }] = await ctx.session.run<{ live: number }>(COUNT_LIVE, ctx.now());
    if (live >= MAX_TOKENS) throw invalidInput(`A store may have ${MAX_TOKENS} live tokens and has them: revoke one first`);
    const token = newToken();
    const values = [newId(), name, scope, hashToken(token), ctx.now(), expiresAt];
    const [record] = await ctx.session.run<TokenRecord>(CREATE, ...values);
    ctx.audit.target = `token:${record.id}`;
    ctx.audit.changes = changedFields({}, { name, scope, expiresAt });
    return { record, token };
  }

  /** Newest first, revoked ones too. */
  list(ctx: StoreContext): Promise<TokenRecord[]> {
    return ctx.session.read<TokenRecord>(LIST);
  }

  /** @returns when it was revoked, or null when the store has no such token; revoking again keeps the first time */
  async revoke(ctx: StoreContext, id: string): Promise<Date | null> {
    const now = ctx.now();
    const [row] = isUuid(id) ? await ctx.session.run<{ at: Date; hash: string }>(REVOKE, id, now) : [];
    if (!row) return null;
    ctx.audit.target = `token:${id.toLowerCase()}`;
    if (row.at.getTime() === now.getTime()) ctx.audit.changes = { revokedAt: [null, row.at] };
    ctx.session.onCommit(() => this.listener.notifyAll(CHANNEL, row.hash, CACHE_MS));
    return row.at;
  }

  private current(token: KnownToken): Principal | null {
    if (token.expiresAt && token.expiresAt <= this.clock.now()) return null;
    this.used.set(token.tokenId, token.storeId);
    return token;
  }

  private async load(hash: string): Promise<KnownToken | null> {
    const heardBefore = this.revocations;
    const cachedUntil = Date.now() + CACHE_MS;
    const [row] = await this.database.read<{
      id: string;
      name: string;
      scope: Scope;
      expires_at: Date | null;
      store_id: string;
      currency: string;
    }>(
      `select t.id, t.name, t.scope, t.expires_at, t.store_id, s.currency from api_tokens t join stores s on s.id = t.store_id
       where t.token_hash = $1 and t.revoked_at is null`,
      [hash],
      'find_token',
    );
    if (!row) return null;
    const known: KnownToken = {
      tokenId: row.id,
      storeId: row.store_id,
      currency: row.currency,
      scope: row.scope,
      actor: { kind: 'token', id: row.id, name: row.name },
      budgetKey: row.id,
      expiresAt: row.expires_at,
      cachedUntil,
    };
    if (this.listener.connected && this.revocations === heardBefore) {
      if (this.cache.size >= MAX_CACHED) this.cache.clear();
      this.cache.set(hash, known);
    }
    return known;
  }

  /** Last-used times are gathered and written together: a call must not wait for them. */
  private async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used];
    this.used.clear();
    await this.database.query(USED, [used.map(([, storeId]) => storeId), used.map(([id]) => id), this.clock.now()]);
  }
}
