import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashToken } from '../../platform/auth/token.js';
import { Clock } from '../../platform/clock.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Unavailable, WHILE_MOVED } from '../../platform/errors.js';
import { wasMovedAway, suspension } from '../../platform/store/call.js';
import {
  GROUP_SCOPES,
  type Group,
  GROUPS,
  groupScope,
  scopeOf,
  SCOPES,
  scopesUpTo,
  scopeWithin,
} from '../../access/rights.js';
import { Apps } from '../../people/apps/apps.service.js';
import { Connections, type Grant, GRANT_LIFE_MS } from '../../people/apps/connections.service.js';
import * as statements from './oauth.statements.js';
import { serverOf, spellingsOf } from './resources.js';

/**
 * How long a used refresh token may be used again: processes of an app refresh concurrently, and answers can
 * be lost.
 */
const GRACE_MS = 2 * 60_000;

const TOKENS = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/**
 * A code or refresh token was used before, or its grant has ended. It must be converted to one of the
 * library's own errors.
 */
export class Spent extends Error {}

/**
 * Stores the library's records in the service's tables. Its sessions are not stored, so the same browser is
 * asked again each time.
 */
@Injectable()
export class Storage {
  constructor(
    private readonly database: SystemDatabase,
    private readonly connections: Connections,
    private readonly apps: Apps,
    private readonly clock: Clock,
  ) {}

  /** @param whyGrantEnds returns the reason that is audited when the library ends a grant */
  adapterOf(model: string, whyGrantEnds: () => string): Adapter {
    if (TOKENS.includes(model)) return { ...NOTHING, ...this.tokens(model) };
    if (model === 'Interaction') return { ...NOTHING, ...this.interactions() };
    if (model === 'Client') return { ...NOTHING, ...this.clients() };
    return model === 'Grant' ? { ...NOTHING, ...this.grants(whyGrantEnds) } : NOTHING;
  }

  private tokens(kind: string): Partial<Adapter> {
    return {
      upsert: async (id, { jti: _, ...payload }, expiresIn) => {
        const now = this.clock.now();
        const expiresAt = new Date(now.getTime() + expiresIn! * 1000);
        const kept = await this.database.query(statements.KEEP_TOKEN, {
          grantId: payload.grantId!,
          kind,
          hash: hashToken(id),
          payload: JSON.stringify(payload),
          expiresAt,
          now,
          mostSeconds: GRANT_LIFE_MS / 1000,
        });
        if (kept.length > 0) return;
        await this.hasLeft({ grantId: payload.grantId!, hash: null });
        throw new Spent('the grant has ended');
      },
      find: async (id) => {
        const now = this.clock.now();
        const [row] = await this.database.query(statements.FIND_TOKEN, { kind, hash: hashToken(id), now });
        if (!row) return undefined;
        const isConsumed = row.consumedAt !== null && !this.isInGrace(kind, row.consumedAt);
        return {
          ...row.payload,
          jti: id,
          ...(isConsumed ? { consumed: Math.floor(row.consumedAt!.getTime() / 1000) } : {}),
        };
      },
      consume: (id) => this.consume(kind, hashToken(id)),
      destroy: async (id) => {
        const hash = hashToken(id);
        const forgotten = await this.database.query(statements.FORGET_TOKEN, { kind, hash });
        if (forgotten.length === 0) await this.hasLeft({ grantId: null, hash });
      },
    };
  }

  private async consume(kind: string, hash: string): Promise<void> {
    const consumed = await this.database.query(statements.CONSUME_TOKEN, {
      kind,
      hash,
      now: this.clock.now(),
    });
    if (consumed.length > 0) return;
    if (await this.hasLeft({ grantId: null, hash }))
      throw new Spent('its store was moved to another installation');
    const [row] = await this.database.query(statements.CONSUMED_TOKEN, { kind, hash });
    if (row && this.isInGrace(kind, row.consumedAt)) return;
    if (row) await this.connections.end(row.grantId, USED_AGAIN);
    throw new Spent('it was used before');
  }

  /**
   * @returns whether the store was moved away, so that nothing changes here any more
   * @throws Unavailable while it is moved, and as long as its callers are told to try again
   */
  private async hasLeft(of: { grantId: string | null; hash: string | null }): Promise<boolean> {
    const [moved] = await this.database.query(statements.FIND_MOVED, of);
    if (!moved) return false;
    const barred = wasMovedAway(moved) ? suspension(moved) : new Unavailable(WHILE_MOVED, null);
    if (barred instanceof Unavailable) throw barred;
    return true;
  }

  private isInGrace(kind: string, consumedAt: Date): boolean {
    return kind === 'RefreshToken' && this.clock.now().getTime() - consumedAt.getTime() < GRACE_MS;
  }

  private interactions(): Partial<Adapter> {
    return {
      upsert: async (id, { jti: _, ...payload }, expiresIn) => {
        const expiresAt = new Date(this.clock.now().getTime() + expiresIn! * 1000);
        const interaction = { idHash: hashToken(id), payload: JSON.stringify(payload), expiresAt };
        await this.database.query(statements.KEEP_INTERACTION, interaction);
      },
      find: async (id) => {
        const asked = { idHash: hashToken(id), now: this.clock.now() };
        const [row] = await this.database.query(statements.FIND_INTERACTION, asked);
        return row && { ...row.payload, jti: id };
      },
      destroy: async (id) => {
        await this.database.query(statements.FORGET_INTERACTION, { idHash: hashToken(id) });
      },
    };
  }

  /**
   * The consent page creates a grant, together with its store. The library only looks it up and may end it.
   */
  private grants(whyGrantEnds: () => string): Partial<Adapter> {
    return {
      find: async (id) => {
        const grant = await this.connections.find(id);
        if (!grant) return undefined;
        const granted = grantedScopes(grant);
        const withheld = ALL_SCOPES.filter((one) => !granted.includes(one)).join(' ');
        const scoped = (scopes: string) =>
          Object.fromEntries(
            spellingsOf(serverOf(grant.resource), grant.resource).map((name) => [name, scopes]),
          );
        return {
          kind: 'Grant',
          jti: id,
          accountId: grant.userId,
          clientId: grant.clientId,
          iat: Math.floor(grant.createdAt.getTime() / 1000),
          exp: Math.floor(grant.expiresAt.getTime() / 1000),
          resources: scoped(granted.join(' ')),
          // The requested scopes that the person did not grant. Without them the library would ask again.
          rejected: { resources: scoped(withheld) },
        } as AdapterPayload;
      },
      destroy: async (id) => {
        if (!(await this.hasLeft({ grantId: id, hash: null })))
          await this.connections.end(id, whyGrantEnds());
      },
    };
  }

  /**
   * What a token says of its scopes. Clients refuse one that names more than they asked for, also if the
   * person granted more.
   */
  async told(grantId: string, scopes: string): Promise<string> {
    const grant = await this.connections.find(grantId);
    const asked = grant?.askedScopes ?? [];
    return scopes
      .split(' ')
      .filter((name) => asked.includes(name))
      .join(' ');
  }

  private clients(): Partial<Adapter> {
    return {
      upsert: (id, metadata) => this.apps.register(id, metadata),
      find: (id) => this.apps.find(id) as Promise<AdapterPayload | undefined>,
    };
  }
}

const ALL_SCOPES: readonly string[] = [...SCOPES, ...GROUP_SCOPES];

/** The scopes of a grant. An owner who granted admin may be staff now. */
function grantedScopes({ role, scope, groups }: Grant): string[] {
  const held = (Object.keys(GROUPS) as Group[]).filter((group) => groups === null || groups.includes(group));
  return [...scopesUpTo(scopeWithin(scopeOf(role), scope)), ...held.map(groupScope)];
}

export const USED_AGAIN = 'a code or refresh token was used again';

const NOTHING: Adapter = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
  findByUid: () => Promise.resolve(undefined),
  consume: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
  // The library also destroys the grant in the same step, and its tokens are deleted with it.
  revokeByGrantId: () => Promise.resolve(),
};
