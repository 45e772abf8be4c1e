import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { includesScope } from '../../../access/rights.js';
import { Connections } from '../../../people/apps/connections.service.js';
import { notFound } from '../../../platform/errors.js';
import { Deleted, IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { ConnectionRecord } from './connections.dto.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const PATH = 'stores/:storeId/connections';

/**
 * Connected apps in the settings: an owner sees those of every member, staff see their own (docs/behaviour.md
 * §15.6).
 */
@Controller(API_PATH)
export class ConnectionsController {
  constructor(private readonly connections: Connections) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'every',
    summary: 'List the apps that members have connected, newest first',
    description: 'An owner sees the apps of every member. Staff see only their own.',
    output: ConnectionRecord,
    list: true,
  })
  async list(ctx: StoreContext) {
    return { items: await this.connections.list(ctx.storeId, whose(ctx)), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:id`,
    groups: 'every',
    summary: 'Disconnect an app at once',
    description: 'An owner can disconnect any app. Staff can disconnect only their own.',
    input: IdInput,
    output: Deleted,
    audited: 'connection.revoke',
  })
  async remove(ctx: StoreContext, { id }: IdInput) {
    if (!(await this.connections.remove(ctx, id, whose(ctx)))) throw notFound('Connection', id);
    return { id, deleted: true };
  }
}

/**
 * The user whose connections the caller may see and end; null for an owner, who may see and end those of
 * everybody.
 */
const whose = (ctx: StoreContext) =>
  includesScope(ctx.call!.auth.principal!.scope, 'admin') ? null : ctx.actor.id;
