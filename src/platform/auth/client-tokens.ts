import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { scopeOf, SCOPES, scopeWithin } from '../../access/rights.js';
import { Clock } from '../clock.js';
import { CONFIG, type Config } from '../config/config.js';
import { columns } from '../database/columns.js';
import { as, systemStatement } from '../database/statement.js';
import { SystemDatabase } from '../database/system.js';
import { type DailyLimits, type Principal, type Resource, suspension, SUSPENSION } from '../store/call.js';
import { hashToken, isWellFormedToken } from './token.js';

/** `$resource` is the one that the token must be for. */
const FIND = systemStatement(
  'find_client_token',
  `select g.store_id as "storeId", ${columns(['id', 'clientName'], 'g')}, s.currency, u.email, m.role,
    ${columns(SUSPENSION, 's')},
    ${columns(['groups', 'userId', 'asksFirst'], 'g')}, g.daily_limits as limits,
    m.groups as "memberGroups", t.payload->>'scope' as scope
  from oauth_tokens t join oauth_grants g on g.store_id = t.store_id and g.id = t.grant_id
    join store_members m on m.store_id = g.store_id and m.user_id = g.user_id
    join stores s on s.id = g.store_id join users u on u.id = g.user_id
  where t.token_hash = $hash and t.kind = 'AccessToken' and t.payload->>'aud' = $resource
    and t.expires_at > $now and g.expires_at > $now`,
  { row: as<{ limits: DailyLimits | null }>() },
);

const USED = systemStatement(
  'note_used_grants',
  `update oauth_grants set last_used_at = $now where id = any($ids)`,
);

/**
 * Access tokens of apps that people have connected. Token, grant and membership are looked up for every call,
 * so that revoking a token, removing a member or changing a role takes effect at once, on every instance.
 */
@Injectable()
export class ClientTokens implements OnApplicationShutdown {
  private readonly used = new Set<string>();

  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.flushLastUsed().catch(() => undefined);
  }

  /**
   * Finds the app a token belongs to; null when the token is malformed, unknown, expired, revoked or for
   * another resource.
   * @param address at which the service was called
   */
  async find(token: string, resource: Resource, address: string): Promise<Principal | null> {
    if (!this.config.oauth.enabled || !isWellFormedToken(token, 'access')) return null;
    const [row] = await this.database.read(FIND, {
      hash: hashToken(token),
      resource: address + resource,
      now: this.clock.now(),
    });
    const granted = row && SCOPES.findLast((scope) => row.scope?.split(' ').includes(scope));
    if (!granted) return null;
    this.used.add(row.id);
    const ceiling = scopeOf(row.role);
    return {
      storeId: row.storeId,
      currency: row.currency,
      scope: scopeWithin(ceiling, granted),
      groups: row.groups,
      actor: { kind: 'client', id: row.id, name: `${row.clientName} for ${row.email}` },
      budgetKey: `grant:${row.id}`,
      refusal: suspension(row),
      consent: {
        ceiling,
        groups: row.memberGroups,
        address,
        resource,
        limits: row.limits,
        userId: row.userId,
        asksFirst: row.asksFirst,
      },
    };
  }

  /** Writes the collected last-used times together: a call must not wait for them. */
  async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const ids = [...this.used];
    this.used.clear();
    await this.database.query(USED, { ids, now: this.clock.now() });
  }
}
