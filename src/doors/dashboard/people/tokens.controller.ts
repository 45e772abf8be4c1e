import { Controller } from '@nestjs/common';
import { TokenRegistry } from '../../../platform/auth/token-registry.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, Route } from '../route.decorator.js';
import { ApiTokenRecord, CreatedToken, CreateTokenInput, RevokedToken } from './tokens.dto.js';

const PATH = 'stores/:storeId/tokens';

/** API tokens in the settings, which only the store's owners may see (spec, Authentication). */
@Controller(API_PATH)
export class TokensController {
  constructor(private readonly tokens: TokenRegistry) {}

  @Route({
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

  @Route({
    method: 'POST',
    path: PATH,
    scope: 'admin',
    summary: 'Create an API token, which is shown only in this answer',
    input: CreateTokenInput,
    output: CreatedToken,
    audited: 'token.create',
  })
  async create(ctx: StoreContext, { name, scope, expiresAt }: CreateTokenInput) {
    const expiry = expiresAt ? new Date(expiresAt) : null;
    if (expiry && expiry <= ctx.now()) throw invalidInput('expiresAt must be in the future');
    const { record, token } = await this.tokens.create(ctx, { name, scope, expiresAt: expiry });
    return { ...record, token };
  }

  @Route({
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
}
