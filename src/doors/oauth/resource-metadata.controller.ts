import { Controller, Get, HttpCode, Inject, Options, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { queryOfResource } from '../../platform/auth/challenge.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { OperationError } from '../../platform/errors.js';
import { addressOf } from '../../platform/config/store-address.js';
import { scopesUpTo } from '../../access/rights.js';
import { RESOURCES } from '../../platform/store/call.js';

const PATH = '.well-known/oauth-protected-resource';
const MAX_AGE_S = 300;

/**
 * Publishes where tokens for /mcp and /v1 can be obtained (RFC 9728, docs/behaviour.md §15). Without a path
 * it describes /mcp. If BASE_URL has a path, clients also request the metadata at the origin, with that path
 * before the resource's.
 */
@Controller()
export class ResourceMetadataController {
  private readonly prefix: string;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.prefix = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  }

  /** Any page may read the metadata, because it is public. */
  @Options([PATH, `${PATH}/*resource`])
  @HttpCode(204)
  allow(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', 'GET');
    response.setHeader('Access-Control-Allow-Headers', 'MCP-Protocol-Version');
  }

  @Get([PATH, `${PATH}/*resource`])
  describe(@Req() { path, url, headers }: Request, @Res({ passthrough: true }) response: Response): object {
    const asked = path.slice(PATH.length + 1);
    const resource =
      asked === ''
        ? RESOURCES[0]
        : RESOURCES.find((known) => asked === known || asked === this.prefix + known);
    if (!resource) throw new OperationError('not_found', 'There is nothing at this path');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', `public, max-age=${MAX_AGE_S}`);
    const address = addressOf(this.config, headers.host);
    return {
      // Clients compare it with the address that they were given, and that of /mcp may have a query (RFC 9728
      // §3.3).
      resource: address + resource + queryOfResource(resource, url),
      authorization_servers: [address],
      // The least that is useful: what a call needs beyond that is told by its challenge.
      scopes_supported: scopesUpTo('write'),
      bearer_methods_supported: ['header'],
      resource_name: 'Shop administration',
    };
  }
}
