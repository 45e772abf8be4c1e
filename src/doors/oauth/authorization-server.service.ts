import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { unavailable } from '../../platform/call/lost-connection.js';
import { asRefusal } from '../../platform/errors.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { Apps } from '../../people/apps/apps.service.js';
import { ClientDocuments } from './client-documents.service.js';
import type { LibraryRequest } from './library-request.js';
import { createProvider } from './provider.js';
import { Storage } from './storage.service.js';

/** Each has one address. Nothing is lost with one that was not used for long: the records are stored. */
const MOST_PROVIDERS = 100;

/**
 * Configures the oidc-provider library, and loads it with the first request that needs it: loading takes 350
 * ms and 30 MB.
 */
@Injectable()
export class AuthorizationServer {
  /** By issuer address, the least recently used first. */
  private readonly providers = new Map<string, Promise<Provider>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly secrets: SecretBox,
    private readonly storage: Storage,
    private readonly apps: Apps,
    private readonly documents: ClientDocuments,
    private readonly budgets: BudgetGuard,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Lets the library answer the request. */
  async answer(request: LibraryRequest, response: ServerResponse): Promise<void> {
    const provider = await this.load(request.serverAddress);
    await provider.callback()(request, response);
  }

  /** @param address BASE_URL, or that of a store, whose tokens are good there alone */
  load(address: string): Promise<Provider> {
    const provider =
      this.providers.get(address) ??
      this.start(address).catch((error: unknown) => {
        this.providers.delete(address);
        throw error;
      });
    this.providers.delete(address);
    this.providers.set(address, provider);
    if (this.providers.size > MOST_PROVIDERS) this.providers.delete(this.providers.keys().next().value!);
    return provider;
  }

  private async start(address: string): Promise<Provider> {
    const provider = await quietly(async () =>
      createProvider(await import('oidc-provider'), {
        baseUrl: address,
        cookieKeys: this.secrets.derived('oauth-cookies'),
        dynamicRegistration: this.config.oauth.dynamicRegistration,
        storage: this.storage,
        fetchDocument: (address, asker) => this.documents.fetch(address, asker),
        mayFetch: (address, request) => this.mayFetch(address, request),
        isBlocked: (id) => this.apps.isBlocked(id, new URL(id).host),
        isPartner: (id) => this.apps.isPartner(id),
      }),
    );
    const report = (ctx: { req: unknown } | undefined, err: unknown) =>
      this.log.error(
        { err, requestId: (ctx?.req as LibraryRequest | undefined)?.call?.requestId },
        'a request of OAuth failed',
      );
    provider.on('server_error', (ctx, err) => {
      report(ctx, err);
      const away = unavailable(err);
      if (!away) return;
      ctx.status = away.status;
      ctx.set('Retry-After', String(away.retryAfterSeconds));
      if (ctx.type === 'application/json')
        ctx.body = { error: 'temporarily_unavailable', error_description: away.message };
    });
    // Without this listener, errors outside the library's own steps are written to the console.
    (provider as EventEmitter).on('error', (err: unknown, ctx?: { req: unknown }) => report(ctx, err));
    return provider;
  }

  private async mayFetch(address: string, request: LibraryRequest | undefined): Promise<boolean> {
    if (this.documents.hasJustFailed(address) || (await this.apps.isBlocked(address, new URL(address).host)))
      return false;
    if (!request) return true;
    try {
      // The answer is a refused client, not a 429, so it must not have the headers of a limit.
      const call = { ...request.call, setHeader: () => undefined };
      await this.budgets.spendAddress(call, 'oauth-document', 'documents of apps');
      return true;
    } catch (error) {
      if (asRefusal(error)) return false;
      throw error;
    }
  }
}

/**
 * Suppresses the library's start-up notices, about Node versions and draft features: only the logger may
 * write to the console.
 */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}
