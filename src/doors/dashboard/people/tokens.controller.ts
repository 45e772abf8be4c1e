import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { OwnerNews } from '../../../people/members/owner-alerts.service.js';
import { TokenRegistry } from '../../../platform/auth/token-registry.js';
import { OperationRegistry } from '../../../platform/call/operation.registry.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { Confirmation } from '../confirmation.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { ApiTokenRecord, CreatedToken, CreateTokenInput, RevokedToken } from './tokens.dto.js';

const PATH = 'stores/:storeId/tokens';

/** API tokens in the settings, which only the store's owners may see (spec, Authentication). */
@Controller(API_PATH)
export class TokensController {
  constructor(
    private readonly tokens: TokenRegistry,
    private readonly operations: OperationRegistry,
    private readonly confirmation: Confirmation,
    private readonly news: OwnerNews,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    scope: 'admin',
    summary: 'List API tokens, newest first, including revoked ones',
    output: ApiTokenRecord,
    list: true,
  })
  async list(ctx: StoreContext) {
    return { items: await this.tokens.list(ctx), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: PATH,
    scope: 'admin',
    summary: 'Create an API token, which is shown only in this answer',
    description:
      'A token of scope admin asks for your password, or for a code of your second factor, once more.',
    input: CreateTokenInput,
    output: CreatedToken,
    audited: 'token.create',
    idempotencyKey: 'once',
    before: 'mayCreate',
  })
  async create(ctx: StoreContext, input: CreateTokenInput) {
    const { name, scope } = input;
    if (scope === 'admin') await this.news.tell(ctx, `created the API token "${name}" of scope admin`);
    const { record, token } = await this.tokens.create(ctx, { name, scope, ...this.limitsOf(ctx, input) });
    return { ...record, token, createdByEmail: ctx.actor.name };
  }

  async mayCreate(ctx: StoreContext, input: CreateTokenInput, caller: Caller): Promise<void> {
    this.limitsOf(ctx, input);
    if (input.scope === 'admin') await this.confirmation.ask(caller, input, 'a token of scope admin');
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:id`,
    scope: 'admin',
    summary: 'Revoke an API token at once',
    input: IdInput,
    output: RevokedToken,
    audited: 'token.revoke',
  })
  async revoke(ctx: StoreContext, { id }: IdInput) {
    const revokedAt = await this.tokens.revoke(ctx, id);
    if (!revokedAt) throw notFound('The token');
    return { id, revokedAt };
  }

  private limitsOf(ctx: StoreContext, { groups, expiresAt }: CreateTokenInput) {
    const expiry = expiresAt ? new Date(expiresAt) : null;
    if (expiry && expiry <= ctx.now())
      throw invalidInput('expiresAt must be in the future').about('not_future', { path: 'expiresAt' });
    return { groups: this.operations.knownGroups(groups ?? null), expiresAt: expiry };
  }
}
