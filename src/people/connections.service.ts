import { Injectable } from '@nestjs/common';
import { newId } from '../platform/ids.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { explainConstraints } from '../platform/errors.js';
import { isUuid } from '../platform/schema/formats.js';
import { writeAudit } from '../platform/store/audit.js';
import type { Actor, Scope } from '../platform/store/principal.js';
import { StoreDatabase } from '../platform/store/store-database.js';
import type { StoreContext } from '../platform/store/store-context.js';
import * as statements from './connections.statements.js';

const MINUTE_MS = 60_000;
/** A grant ends this long after consent, whatever is done with it; the person is asked anew. */
export const GRANT_LIFE_MS = 180 * 24 * 60 * MINUTE_MS;
/** Until the app has fetched its first tokens, which make the grant live on. */
const FIRST_TOKENS_MS = 10 * MINUTE_MS;
/** Of one person in one store; a further one ends the longest unused. */
const MAX_PER_MEMBER = 20;

/** An app that a person let into a store. */
export interface Connection extends Record<string, unknown> {
  id: string;
  /** What the app calls itself. */
  appName: string;
  /** Where its document comes from; null for one that registered itself or that the operator added. */
  appHost: string | null;
  redirectHost: string;
  userId: string;
  email: string;
  scope: Scope;
  resource: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** What the page knows when a person says yes. */
export interface NewConnection {
  userId: string;
  clientId: string;
  appName: string;
  appHost: string | null;
  redirectHost: string;
  scope: Scope;
  resource: string;
  /** The client is one installation, so that what it was granted before ends. */
  isInstallation: boolean;
}

export interface Grant extends Record<string, unknown> {
  storeId: string;
  currency: string;
  id: string;
  userId: string;
  clientId: string;
  appName: string;
  email: string;
  scope: Scope;
  resource: string;
  createdAt: Date;
  expiresAt: Date;
}

explainConstraints({ oauth_grants_member_fkey: 'store: you are no member of this store any more' });

/** Apps that people let in, each with a person, a store and a scope (docs/behaviour.md §15). Its tokens end with the row. */
@Injectable()
export class Connections {
  constructor(
    private readonly system: SystemDatabase,
    private readonly stores: StoreDatabase,
    private readonly clock: Clock,
  ) {}

  /** @returns the new grant's id */
  async create(ctx: StoreContext, connection: NewConnection): Promise<string> {
    const { userId, clientId, appName, appHost, redirectHost, scope, resource, isInstallation } = connection;
    const id = newId();
    ctx.session.send(statements.LOCK, userId);
    await ctx.session.run(statements.MAKE_ROOM, userId, isInstallation ? clientId : null, MAX_PER_MEMBER - 1);
    const now = ctx.now();
    const until = new Date(now.getTime() + FIRST_TOKENS_MS);
    const values = [userId, clientId, appName, appHost, redirectHost, scope, resource, now, until];
    await ctx.session.run(statements.INSERT, id, ...values);
    ctx.audit.target = `connection:${id}`;
    return id;
  }

  /** Newest first. @param userId only this person's */
  list(storeId: string, userId: string | null): Promise<Connection[]> {
    return this.system.query<Connection>(statements.LIST, [storeId, userId, this.clock.now()]);
  }

  /** @param userId only if it is this person's @returns whether there was one */
  async remove(ctx: StoreContext, id: string, userId: string | null): Promise<boolean> {
    const [removed] = isUuid(id) ? await ctx.session.run<{ appName: string; scope: Scope }>(statements.REMOVE, id, userId) : [];
    if (!removed) return false;
    ctx.audit.target = `connection:${id.toLowerCase()}`;
    ctx.audit.changes = { appName: [removed.appName, null], scope: [removed.scope, null] };
    return true;
  }

  /** A living grant, of whatever store. */
  async find(id: string): Promise<Grant | null> {
    const [grant] = isUuid(id) ? await this.system.query<Grant>(statements.FIND, [id, this.clock.now()]) : [];
    return grant ?? null;
  }

  /** Ends a grant in the app's name: it gave its tokens back, or one of them was used a second time. */
  async end(id: string, reason: string): Promise<void> {
    const grant = await this.find(id);
    if (grant) await this.endBy({ kind: 'client', id, name: `${grant.appName} for ${grant.email}` }, 'oauth', grant, reason);
  }

  /**
   * Ends what a client, or all whose documents come from a host, were granted, for the operator.
   * @returns how many grants ended
   */
  async endAllOf(client: string): Promise<number> {
    const grants = await this.system.query<{ id: string }>(statements.FIND_OF_CLIENT, [client]);
    for (const { id } of grants) {
      const grant = await this.find(id);
      if (grant) await this.endBy({ kind: 'system', id: null, name: 'operator' }, 'cli', grant, 'the app was blocked');
    }
    return grants.length;
  }

  private async endBy(actor: Actor, transport: string, grant: Grant, reason: string): Promise<void> {
    await this.stores.inStore({ ...grant, actor }, async (ctx) => {
      if (!(await this.remove(ctx, grant.id, null))) return;
      writeAudit(ctx, { ...ctx.audit, operation: 'connection.revoke', transport, input: { reason }, outcome: 'ok' });
    });
  }
}
