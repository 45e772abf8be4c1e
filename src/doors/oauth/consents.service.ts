import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { forbidden, invalidInput } from '../../platform/errors.js';
import { writeAudit } from '../../platform/store/audit.js';
import { includesScope, scopeOf, type Scope, SCOPES } from '../../access/rights.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import { Accounts, type MembershipRow } from '../../people/accounts/accounts.service.js';
import { Apps } from '../../people/apps/apps.service.js';
import { Connections } from '../../people/apps/connections.service.js';
import type { Session } from '../../people/sign-in/sessions.service.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { isLoopback } from '../../people/apps/client-metadata.js';
import type { LibraryRequest } from './library-request.js';
import { resourceOf, resourcesOf } from './resources.js';

/** The request of an app, as it is shown to a person. */
export interface Asked {
  uid: string;
  clientId: string;
  appName: string;
  appHost: string | null;
  isPartner: boolean;
  redirectHost: string;
  isLocal: boolean;
  resource: string;
  /** All scopes from read up to the highest that was requested. */
  scopes: Scope[];
}

const NAMELESS = 'An app without a name';

/** Handles a person's decision about an app (docs/behaviour.md §15). */
@Injectable()
export class Consents {
  private readonly formKey: string;

  constructor(
    private readonly server: AuthorizationServer,
    private readonly accounts: Accounts,
    private readonly apps: Apps,
    private readonly connections: Connections,
    private readonly stores: StoreDatabase,
    @Inject(CONFIG) private readonly config: Config,
    secrets: SecretBox,
  ) {
    [this.formKey] = secrets.derived('oauth-forms');
  }

  /** @throws OperationError invalid_input if the request has expired, or belongs to another browser */
  async asked(request: LibraryRequest, response: ServerResponse, uid: string): Promise<Asked> {
    const provider = await this.server.load();
    const details = await provider
      .interactionDetails(request, response)
      .catch((error: { statusCode?: number }) => {
        if (error.statusCode === 400) throw expired();
        throw error;
      });
    if (details.uid !== uid) throw expired();
    const {
      client_id: clientId,
      redirect_uri: redirectUri,
      resource,
      scope,
    } = details.params as Record<string, string>;
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (!client) throw invalidInput('The app is not known any more, or was blocked');
    const callback = new URL(redirectUri);
    const { baseUrl } = this.config;
    return {
      uid,
      clientId,
      appName: client.clientName || NAMELESS,
      appHost: clientId.startsWith('https://') ? new URL(clientId).host : null,
      isPartner: clientId.startsWith('app_'),
      redirectHost: callback.protocol.startsWith('http') ? callback.host : callback.protocol,
      isLocal: isLoopback(redirectUri),
      resource: resourceOf(baseUrl, [resource].flat()[0] ?? '') ?? resourcesOf(baseUrl)[0],
      scopes: SCOPES.filter((known) => scope.split(' ').includes(known)),
    };
  }

  /** The stores and scopes from which this person can choose. */
  async choices(
    { scopes }: Asked,
    { userId }: Session,
  ): Promise<{ stores: MembershipRow[]; scopes: Scope[] }> {
    const stores = await this.accounts.openStoresOf(userId);
    const mayGrant = (scope: Scope) => stores.some(({ role }) => includesScope(scopeOf(role), scope));
    return { stores, scopes: scopes.filter(mayGrant) };
  }

  /** A secret in the form, with which a form of another request or another session is detected. */
  formSecret(uid: string, { tokenHash }: Session): string {
    return createHmac('sha256', this.formKey).update(`${uid} ${tokenHash}`).digest('base64url');
  }

  /** @throws OperationError forbidden */
  checkForm(uid: string, session: Session, given: string | null): void {
    const right = Buffer.from(this.formSecret(uid, session));
    const sent = Buffer.from(given ?? '');
    if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
      throw forbidden(
        'This form belongs to another sign-in or another request. Go back to the app and start again.',
      );
    }
  }

  async deny(request: LibraryRequest, response: ServerResponse): Promise<void> {
    const refusal = { error: 'access_denied', error_description: 'The person said no' };
    const provider = await this.server.load();
    await provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false });
  }

  /**
   * Stores the grant and redirects the browser to the app.
   * @throws OperationError forbidden for a store or scope that this person cannot grant, or a scope that was
   * not requested
   */
  async allow(
    request: LibraryRequest,
    response: ServerResponse,
    asked: Asked,
    decision: { session: Session; storeId: string; scope: string; requestId: string },
  ): Promise<void> {
    const { session, requestId } = decision;
    const { userId, email } = session;
    const store = (await this.accounts.openStoresOf(userId)).find(
      ({ id }) => id === decision.storeId.toLowerCase(),
    );
    if (!store) throw forbidden('You are not a member of this store');
    const scope = asked.scopes.find((known) => known === decision.scope);
    if (!scope) throw forbidden('The app did not ask for this');
    if (!includesScope(scopeOf(store.role), scope)) throw forbidden("Only the store's owner can allow this");
    const { clientId, appName, appHost, redirectHost, resource } = asked;
    const principal = {
      storeId: store.id,
      currency: store.currency,
      actor: { kind: 'user' as const, id: userId, name: email },
    };
    const grantId = await this.stores.inStore(
      principal,
      async (ctx) => {
        const isInstallation = clientId.startsWith('dcr_');
        const id = await this.connections.create(ctx, { ...asked, userId, scope, isInstallation });
        const input = { appName, appHost, clientId, redirectHost, resource, scope };
        writeAudit(ctx, {
          ...ctx.audit,
          operation: 'connection.create',
          transport: 'oauth',
          input,
          outcome: 'ok',
        });
        return id;
      },
      requestId,
    );
    await this.apps.keep(clientId);
    const provider = await this.server.load();
    const result = { login: { accountId: userId, remember: false }, consent: { grantId } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

const expired = () =>
  invalidInput(
    'This request has expired, or was started in another browser. Go back to the app and start again.',
  );
