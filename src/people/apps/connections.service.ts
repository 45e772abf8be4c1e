import { Injectable } from '@nestjs/common';
import type { Groups, Scope } from '../../access/rights.js';
import { newId } from '../../platform/ids.js';
import { Clock } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { explainConstraints } from '../../platform/errors.js';
import { isUuid } from '../../platform/schema/formats.js';
import { type AuditEntry, writeAudit } from '../../platform/store/audit.js';
import type { Actor, DailyLimits } from '../../platform/store/call.js';
import { StoreDatabase, type StoreContext } from '../../platform/store/store-context.js';
import * as statements from './connections.statements.js';

const MINUTE_MS = 60_000;
/** How long after consent a grant ends, whether it is used or not. The person is then asked again. */
export const GRANT_LIFE_MS = 180 * 24 * 60 * MINUTE_MS;
/** How long a new grant lasts until the app has fetched its first tokens, which extend it. */
const FIRST_TOKENS_MS = 10 * MINUTE_MS;
/**
 * The most grants of one person in one store. A further one ends the grant that was unused for the longest
 * time.
 */
const MAX_PER_MEMBER = 20;

/**
 * An app that a person connected to a store. `appName` is what the app calls itself, `appHost` the host of
 * its metadata document; null for an app that registered itself or that the operator added.
 */
export type Connection = RowOf<typeof statements.LIST>;

/** The details of a connection at the moment of consent. */
export interface NewConnection {
  userId: string;
  clientId: string;
  appName: string;
  appHost: string | null;
  redirectHost: string;
  scope: Scope;
  groups: Groups;
  /** What the person was offered, now or before, and did not choose. */
  declined: string[];
  /** The scopes that the app asked for. */
  askedScopes: string[];
  /** Whether a person has to approve what matters before the app does it. */
  asksFirst: boolean;
  limits: DailyLimits | null;
  resource: string;
  /** Whether the client is a single installation, whose earlier grants then end. */
  isInstallation: boolean;
}

export type Grant = RowOf<typeof statements.FIND>;
export type LastGrant = RowOf<typeof statements.LAST_GRANT>;

explainConstraints({ oauth_grants_member_fkey: 'store: you are no longer a member of this store' });

/**
 * Apps that people connected, each for a person, a store and a scope (docs/behaviour.md §15). The tokens are
 * deleted with the row.
 */
@Injectable()
export class Connections {
  constructor(
    private readonly system: SystemDatabase,
    private readonly stores: StoreDatabase,
    private readonly clock: Clock,
  ) {}

  /** The person's newest grant to the app, in any store. */
  async lastGrant(clientId: string, userId: string): Promise<LastGrant | null> {
    const asked = { clientId, userId, now: this.clock.now() };
    const [last] = await this.system.query(statements.LAST_GRANT, asked);
    return last ?? null;
  }

  /** @returns the new grant's id */
  async create(ctx: StoreContext, connection: NewConnection): Promise<string> {
    const { isInstallation, groups, limits, ...details } = connection;
    const { userId, clientId } = details;
    const id = newId();
    ctx.session.enqueue(statements.LOCK, { userId });
    const installation = isInstallation ? clientId : null;
    await ctx.session.query(statements.MAKE_ROOM, { userId, installation, most: MAX_PER_MEMBER - 1 });
    const now = ctx.now();
    const expiresAt = new Date(now.getTime() + FIRST_TOKENS_MS);
    await ctx.session.query(statements.INSERT, {
      id,
      ...details,
      groups: groups && [...groups],
      limits: limits && JSON.stringify(limits),
      now,
      expiresAt,
    });
    ctx.audit.target = `connection:${id}`;
    return id;
  }

  /** Newest first. @param userId limits the list to this person's connections, unless it is null */
  list(storeId: string, userId: string | null): Promise<Connection[]> {
    return this.system.query(statements.LIST, { storeId, userId, now: this.clock.now() });
  }

  /**
   * @param userId removes it only if it is this person's, unless it is null @returns whether there was one
   */
  async remove(ctx: StoreContext, id: string, userId: string | null): Promise<boolean> {
    const [removed] = isUuid(id) ? await ctx.session.query(statements.REMOVE, { id, userId }) : [];
    if (!removed) return false;
    ctx.audit.target = `connection:${id.toLowerCase()}`;
    ctx.audit.changes = { appName: [removed.appName, null], scope: [removed.scope, null] };
    return true;
  }

  /** The person's grants of scope admin in the store, newest first. */
  adminOf(ctx: StoreContext, userId: string): Promise<{ id: string; appName: string }[]> {
    return ctx.session.query(statements.LIST_ADMIN_OF, { userId, now: ctx.now() });
  }

  /** A grant that has not expired, of any store. */
  async find(id: string): Promise<Grant | null> {
    const [grant] = isUuid(id) ? await this.system.query(statements.FIND, { id, now: this.clock.now() }) : [];
    return grant ?? null;
  }

  /** Ends a grant on the app's behalf: it revoked its tokens, or one of them was used a second time. */
  async end(id: string, reason: string): Promise<void> {
    const grant = await this.find(id);
    if (grant)
      await this.endBy(
        { kind: 'client', id, name: `${grant.appName} for ${grant.email}` },
        'oauth',
        grant,
        reason,
      );
  }

  /**
   * Ends, for the operator, all grants of a client, or of all clients with documents on a host.
   * @returns how many grants ended
   */
  async endAllOf(client: string): Promise<number> {
    const grants = await this.system.query(statements.FIND_OF_CLIENT, { client });
    for (const { id } of grants) {
      const grant = await this.find(id);
      if (grant)
        await this.endBy({ kind: 'system', id: null, name: 'operator' }, 'cli', grant, 'the app was blocked');
    }
    return grants.length;
  }

  private async endBy(
    actor: Actor,
    transport: AuditEntry['transport'],
    grant: Grant,
    reason: string,
  ): Promise<void> {
    await this.stores.inStore({ ...grant, actor }, async (ctx) => {
      if (!(await this.remove(ctx, grant.id, null))) return;
      writeAudit(ctx, {
        ...ctx.audit,
        operation: 'connection.revoke',
        transport,
        input: { reason },
        outcome: 'ok',
      });
    });
  }
}
