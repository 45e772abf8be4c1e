import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { forbidden, invalidInput, OperationError } from '../../platform/errors.js';
import { storeOfHost } from '../../platform/config/store-address.js';
import { writeAudit } from '../../platform/store/audit.js';
import { groupScope, includesScope, scopeOf, type Scope, SCOPES, scopesUpTo } from '../../access/rights.js';
import { suspension } from '../../platform/store/call.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { Accounts, type MembershipRow } from '../../people/accounts/accounts.service.js';
import { Apps } from '../../people/apps/apps.service.js';
import { Connections, type LastGrant } from '../../people/apps/connections.service.js';
import type { Session } from '../../people/sign-in/sessions.service.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { isLoopback } from '../../people/apps/client-metadata.js';
import { dailyLimits, fieldsOfLimits, type LimitFields, NO_LIMITS } from './limits-form.js';
import type { LibraryRequest } from './library-request.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { OwnerNews } from '../../people/members/owner-alerts.service.js';
import { narrowingOf } from '../mcp/tool-selection.js';
import { type GroupChoice, groupChoices } from './group-choices.js';
import { ASKED, ASKED_GROUPS, NARROWED, resourceOf, resourcesOf } from './resources.js';

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
  /** All scopes from read up to the highest that can be allowed. */
  scopes: Scope[];
  /** The highest that the app asked for. */
  wanted: Scope;
  /** The groups that the app asked for by name. */
  wantedGroups: string[];
  /** To what the resource's query narrows the request; null if not. */
  names: string[] | null;
  /** The only store that may be chosen, by the address or the resource's query. */
  storeId: string | null;
}

/** What a person can choose. */
export interface Choices {
  stores: MembershipRow[];
  scopes: Scope[];
  groups: GroupChoice[];
  /** What the person let the app do before; null if nothing. */
  last: LastGrant | null;
  /** The daily limits that the person set then, so that asking again does not lose them. */
  limits: LimitFields;
}

const NAMELESS = 'An app without a name';

/** The request of an app was decided, has expired, or belongs to another browser. */
export class RequestOver extends OperationError {
  constructor() {
    super(
      'invalid_input',
      'This request was decided or has expired, or was started in another browser. Go back to the app, and ' +
        'start again if it is not connected.',
    );
  }
}

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
    private readonly operations: OperationRegistry,
    private readonly news: OwnerNews,
    @Inject(CONFIG) private readonly config: Config,
    secrets: SecretBox,
  ) {
    [this.formKey] = secrets.derived('oauth-forms');
  }

  /** @throws OperationError invalid_input if the request has expired, or belongs to another browser */
  async asked(request: LibraryRequest, response: ServerResponse, uid: string): Promise<Asked> {
    const { serverAddress: address } = request;
    const provider = await this.server.load(address);
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
      [NARROWED]: narrowed = '',
      [ASKED]: wanted = 'read',
      [ASKED_GROUPS]: wantedGroups = '',
    } = details.params as Record<string, string>;
    const { names, readOnly, storeId } = narrowingOf(narrowed, this.operations);
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (!client) throw invalidInput('The app is not known any more, or was blocked');
    const callback = new URL(redirectUri);
    return {
      uid,
      clientId,
      appName: client.clientName || NAMELESS,
      appHost: clientId.startsWith('https://') ? new URL(clientId).host : null,
      isPartner: clientId.startsWith('app_'),
      redirectHost: callback.protocol.startsWith('http') ? callback.host : callback.protocol,
      isLocal: isLoopback(redirectUri),
      resource: resourceOf(address, [resource].flat()[0] ?? '') ?? resourcesOf(address)[0],
      scopes: SCOPES.filter((known) => scope.split(' ').includes(known) && (!readOnly || known === 'read')),
      wanted: wanted as Scope,
      wantedGroups: wantedGroups.split(',').filter(Boolean),
      names,
      // What is granted at the address of a store goes along with it.
      storeId: storeOfHost(this.config, new URL(address).host) ?? storeId,
    };
  }

  /** The stores, scopes and groups from which this person can choose. */
  async choices(asked: Asked, { userId }: Session): Promise<Choices> {
    const stores = (await this.accounts.openStoresOf(userId)).filter(
      ({ id }) => asked.storeId === null || id === asked.storeId,
    );
    const mayGrant = (scope: Scope) => stores.some(({ role }) => includesScope(scopeOf(role), scope));
    const last = await this.connections.lastGrant(asked.clientId, userId);
    return {
      stores,
      scopes: asked.scopes.filter(mayGrant),
      groups: groupChoices(this.operations, { ...asked, stores, last }),
      last,
      limits: last ? fieldsOfLimits(last.limits, last.currency) : NO_LIMITS,
    };
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
    const provider = await this.server.load(request.serverAddress);
    await provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false });
  }

  /**
   * Stores the grant and redirects the browser to the app.
   * @param decision.groups null for those that the page had checked
   * @throws OperationError forbidden for a store or scope that this person cannot grant, or a scope or group
   * that was not offered; invalid_input without a group
   */
  async allow(
    request: LibraryRequest,
    response: ServerResponse,
    asked: Asked,
    decision: {
      session: Session;
      storeId: string;
      scope: string;
      groups: string[] | null;
      limits: LimitFields;
      asksFirst: boolean;
      requestId: string;
    },
  ): Promise<void> {
    const { session, requestId } = decision;
    const { userId, email } = session;
    const choices = await this.choices(asked, session);
    const store = choices.stores.find(({ id }) => id === decision.storeId.toLowerCase());
    if (!store) throw forbidden('You are not a member of this store');
    const suspended = suspension(store);
    if (suspended !== undefined) throw suspended;
    const scope = asked.scopes.find((known) => known === decision.scope);
    if (!scope) throw forbidden('The app did not ask for this');
    if (!includesScope(scopeOf(store.role), scope)) throw forbidden("Only the store's owner can allow this");
    const { groups, declined } = chosenGroups(choices, decision.groups);
    const limits = dailyLimits(decision.limits, store.currency);
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
        const details = { clientId, appName, appHost, redirectHost, resource };
        const askedScopes = [...scopesUpTo(asked.wanted), ...asked.wantedGroups.map(groupScope)];
        const { asksFirst } = decision;
        const rights = { scope, groups, declined, askedScopes, asksFirst, limits };
        const made = { ...details, userId, ...rights, isInstallation };
        const id = await this.connections.create(ctx, made);
        const input = {
          appName,
          appHost,
          clientId,
          redirectHost,
          resource,
          scope,
          groups,
          limits,
          asksFirst,
        };
        if (scope === 'admin') await this.news.tell(ctx, `let in the app "${appName}" with scope admin`);
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
    const provider = await this.server.load(request.serverAddress);
    const result = { login: { accountId: userId, remember: false }, consent: { grantId } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

/**
 * @param given null for those that the page had checked
 * @returns what was chosen, and what this person was offered, now or before, and did not choose
 * @throws OperationError forbidden for what was not offered, invalid_input for nothing
 */
function chosenGroups({ groups, last }: Choices, given: string[] | null) {
  const offered = groups.map(({ name }) => name);
  const chosen = given ?? groups.filter(({ isChecked }) => isChecked).map(({ name }) => name);
  if (!chosen.every((name) => offered.includes(name))) throw forbidden('The app did not ask for this');
  if (chosen.length === 0) throw invalidInput('Choose at least one thing that the app may work with.');
  const earlier = (last?.declined ?? []).filter((name) => !offered.includes(name));
  return { groups: chosen, declined: [...earlier, ...offered.filter((name) => !chosen.includes(name))] };
}

const expired = () => new RequestOver();
