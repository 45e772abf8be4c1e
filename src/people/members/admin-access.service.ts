import { Injectable } from '@nestjs/common';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Connections } from '../apps/connections.service.js';

type Made<Of> = Of & { revoked: boolean };

/** What a person made while they were an owner, and what became of it. */
export interface AdminAccessOf {
  tokens: Made<{ id: string; name: string; scope: 'read' | 'write' | 'admin' }>[];
  connections: Made<{ id: string; appName: string }>[];
}

/** Access of scope admin, which nobody keeps who is an owner no longer (docs/behaviour.md §10). */
@Injectable()
export class AdminAccess {
  constructor(
    private readonly tokens: TokenRegistry,
    private readonly connections: Connections,
  ) {}

  /**
   * Revokes the tokens and the apps' grants of scope admin that the person made, in the transaction of the
   * call.
   * @param isKept they are only named: another owner answers for them from now on
   */
  async end(ctx: StoreContext, userId: string, isKept: boolean): Promise<AdminAccessOf> {
    const target = ctx.audit.target;
    const tokens = (await this.tokens.liveOf(ctx, userId)).filter(({ scope }) => scope === 'admin');
    const connections = await this.connections.adminOf(ctx, userId);
    if (!isKept) {
      for (const { id } of tokens) await this.tokens.revoke(ctx, id);
      for (const { id } of connections) await this.connections.remove(ctx, id, userId);
    }
    // Each of these names its own.
    ctx.audit.target = target;
    const named = <Of extends object>(made: Of) => ({ ...made, revoked: !isKept });
    return { tokens: tokens.map(named), connections: connections.map(named) };
  }
}

/** The ids of what was revoked, for the audit row. */
export function revokedOf({ tokens, connections }: AdminAccessOf): Record<string, [unknown, unknown]> {
  const changes: Record<string, [unknown, unknown]> = {};
  for (const [name, made] of Object.entries({ tokens, connections })) {
    const revoked = made.filter((one) => one.revoked).map(({ id }) => id);
    if (revoked.length > 0) changes[name] = [revoked, null];
  }
  return changes;
}

/** What owners are told of it, after the news itself. A person's apps never have more than the person. */
export function tellOf({ tokens, connections }: AdminAccessOf): string {
  const say = (what: string, made: { name: string; revoked: boolean }[], becomes: string) => {
    if (made.length === 0) return '';
    const names = made.map(({ name }) => `"${name}"`).join(', ');
    return `; ${what} ${made.every(({ revoked }) => revoked) ? 'were revoked' : becomes}: ${names}`;
  };
  const apps = connections.map(({ appName: name, revoked }) => ({ name, revoked }));
  return (
    say('the tokens of scope admin that they made', tokens, 'go on working') +
    say('the apps to which they gave scope admin', apps, 'go on with scope write')
  );
}
