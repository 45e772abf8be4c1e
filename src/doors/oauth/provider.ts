import { generateKeyPairSync } from 'node:crypto';
import type { Configuration, KoaContextWithOIDC, Provider as ProviderClass } from 'oidc-provider';
import { newToken } from '../../platform/auth/token.js';
import { GROUP_SCOPES, SCOPES } from '../../access/rights.js';
import { GRANT_LIFE_MS } from '../../people/apps/connections.service.js';
import { newSecret } from '../../people/accounts/one-time-link.js';
import type { LibraryRequest } from './library-request.js';
import { errorPage } from './pages/pages.js';
import { pageHeaders } from './pages/page-headers.js';
import { parseUrl } from '../../platform/text/url.js';
import { ASKED, ASKED_GROUPS, NARROWED, resourceOf, resourcesOf } from './resources.js';
import { Spent, type Storage, USED_AGAIN } from './storage.service.js';

type Library = typeof import('oidc-provider');

const MINUTE_S = 60;
const DAY_S = 86_400;
const CODE_S = MINUTE_S;
const ACCESS_S = 60 * MINUTE_S;
/** How long an unused refresh token is valid. */
const REFRESH_S = 30 * DAY_S;
/** How long a person may take from leaving the app to choosing "Allow". */
const INTERACTION_S = 10 * MINUTE_S;

/** The parts of the service that the library needs. */
interface ProviderParts {
  baseUrl: string;
  cookieKeys: string[];
  dynamicRegistration: boolean;
  storage: Storage;
  /** @param asker the address of the caller for whom it is fetched */
  fetchDocument(address: string, asker: string | undefined): Promise<Response>;
  /** Whether the document of a client may be fetched now. */
  mayFetch(address: string, request: LibraryRequest | undefined): Promise<boolean>;
  isBlocked(clientId: string): Promise<boolean>;
  /** Whether the operator added the client. */
  isPartner(clientId: string): Promise<boolean>;
}

/**
 * Creates oidc-provider as an OAuth 2.1 server for two resources: public clients, codes with PKCE, opaque
 * tokens, no OpenID (docs/behaviour.md §15).
 */
export function createProvider(library: Library, parts: ProviderParts): ProviderClass {
  const { Provider } = library;
  const provider = new Provider(parts.baseUrl, configuration(library, parts));
  // The request that is passed on has the public address in the headers of a proxy.
  provider.proxy = true;
  provider.use(keepFromStrangers(parts));
  // The library always lists `openid`, but an app can only be granted the scopes of the two resources.
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next();
    if (ctx.oidc?.route === 'discovery') Object.assign(ctx.body as object, { scopes_supported: SCOPES });
  });
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next();
    const { grantId } = ctx.oidc?.entities.AccessToken ?? {};
    const answer = ctx.body as { scope?: string };
    if (ctx.oidc?.route === 'token' && grantId && answer.scope !== undefined)
      answer.scope = await parts.storage.told(grantId, answer.scope);
  });
  // Tokens get the service's own format: secret scanners find them, a mistyped one is refused without a
  // look-up, and nobody confuses them with API tokens.
  for (const [model, kind] of [
    [provider.AccessToken, 'access'],
    [provider.RefreshToken, 'refresh'],
  ] as const) {
    const prototype = model.prototype as unknown as { generateTokenId(): string };
    const original = prototype.generateTokenId;
    prototype.generateTokenId = function () {
      // The original is called because it also determines the token's format.
      original.call(this);
      return newToken(kind);
    };
  }
  return provider;
}

function configuration(library: Library, parts: ProviderParts): Configuration {
  const { baseUrl, storage } = parts;
  const { pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const whyGrantEnds = () =>
    library.Provider.ctx?.oidc.route === 'revocation' ? 'the app gave its token back' : USED_AGAIN;
  return {
    adapter: (model) => withErrors(library, storage.adapterOf(model, whyGrantEnds)),
    // Nothing is ever signed, but the library needs a key; without one it uses a publicly known one.
    jwks: {
      keys: [
        {
          ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
          use: 'sig',
        },
      ],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientAuthMethods: ['none'],
    extraParams: [NARROWED, ASKED, ASKED_GROUPS],
    responseTypes: ['code'],
    // With the default, clients would have to request offline_access to get a refresh token.
    scopes: [],
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    pkce: { required: () => true },
    features: features(library, parts),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
      jwks: '/oauth/jwks',
    },
    interactions: {
      policy: alwaysAsk(library),
      url: (_ctx, { uid }) => `${prefix}/dashboard/connect/${uid}`,
    },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // The default continues the browser's earlier grant; here each consent creates its own grant.
    loadExistingGrant: (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId;
      return id ? ctx.oidc.provider.Grant.find(id) : undefined;
    },
    ttl: {
      AccessToken: ACCESS_S,
      AuthorizationCode: CODE_S,
      RefreshToken: REFRESH_S,
      Grant: GRANT_LIFE_MS / 1000,
      Interaction: INTERACTION_S,
      Session: INTERACTION_S,
      IdToken: MINUTE_S,
    },
    cookies: {
      keys: parts.cookieKeys,
      names: { session: 'shop_oauth', interaction: 'shop_oauth_step', resume: 'shop_oauth_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: `${prefix}/oauth` },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    fetch: (address: string | URL) => {
      const request = library.Provider.ctx?.req as LibraryRequest | undefined;
      return parts.fetchDocument(String(address), request?.call.address);
    },
    renderError: (ctx, out) => {
      ctx.set(pageHeaders());
      ctx.type = 'html';
      ctx.body = errorPage(out.error_description ?? out.error);
    },
  } as Configuration;
}

function features({ errors }: Library, parts: ProviderParts): Configuration['features'] {
  const { baseUrl } = parts;
  const requestOf = (ctx: KoaContextWithOIDC | undefined) => ctx?.req as LibraryRequest | undefined;
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: parts.dynamicRegistration,
      issueRegistrationAccessToken: false,
      idFactory: () => `dcr_${newSecret()}`,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: MINUTE_S, max: 60 * MINUTE_S },
      allowFetch: (ctx, id) => parts.mayFetch(id, requestOf(ctx)),
      allowClient: async (_ctx, { clientId }) => !(await parts.isBlocked(clientId)),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resourcesOf(baseUrl)[0],
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, asked) => {
        const resource = resourceOf(baseUrl, asked);
        if (!resource) throw new errors.InvalidTarget('resource is not one of this service');
        // A grant is for one resource; with a list, tokens would be for whichever comes first.
        if (new Set([ctx.oidc.params?.resource].flat()).size > 1)
          throw new errors.InvalidTarget('only one resource at a time');
        return {
          scope: [...SCOPES, ...GROUP_SCOPES].join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: ACCESS_S,
        };
      },
    },
  } as Configuration['features'];
}

/**
 * Shows every request to a person, even if somebody signed in before in this browser. The id of a client with
 * a document is the same at every server, so a hostile one could make use of a remembered consent.
 */
function alwaysAsk({ interactionPolicy }: Library) {
  const policy = interactionPolicy.base();
  policy
    .get('login')!
    .checks.add(
      new interactionPolicy.Check('always', 'sign-in is asked for', (ctx) => !ctx.oidc.result?.login),
    );
  policy
    .get('consent')!
    .checks.add(
      new interactionPolicy.Check(
        'always',
        'consent is asked for',
        'consent_required',
        (ctx) => !ctx.oidc.result?.consent,
      ),
    );
  return policy;
}

/**
 * Converts errors to the library's own, because only those are answered as errors of OAuth; any other becomes
 * a 500.
 */
function withErrors({ errors }: Library, adapter: ReturnType<Storage['adapterOf']>): typeof adapter {
  const rethrow = (error: unknown) => {
    throw error instanceof Spent ? new errors.InvalidGrant(error.message) : error;
  };
  return {
    ...adapter,
    upsert: (id, payload, expiresIn) => adapter.upsert(id, payload, expiresIn).catch(rethrow),
    consume: (id) => adapter.consume(id).catch(rethrow),
  };
}

/**
 * Nobody has signed in when an app's first request is answered, so a refusal of it sends the browser to
 * partners alone: a link to this service would lead to any site that one person has let in (RFC 9700
 * §4.11.2). A page names the site instead.
 */
function keepFromStrangers({ baseUrl, isPartner }: Pick<ProviderParts, 'baseUrl' | 'isPartner'>) {
  const { origin } = new URL(baseUrl);
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.oidc?.route !== 'authorization') return;
    const location = ctx.response.get('Location');
    if (location ? new URL(location, baseUrl).origin === origin : !isForm(ctx)) return;
    const { client_id: clientId, redirect_uri: redirectUri } = ctx.oidc.params as Record<string, string>;
    if (await isPartner(String(clientId))) return;
    const to = location || redirectUri;
    ctx.remove('Location');
    ctx.set(pageHeaders());
    ctx.status = 400;
    ctx.type = 'html';
    ctx.body = errorPage(
      `The request cannot be granted. The app wants your browser to go on to ${hostOf(to)}, which ` +
        'is no partner of this service, so it was not sent there.',
    );
  };
}

/** A page that sends a form to the app by itself. */
const isForm = ({ oidc, response }: KoaContextWithOIDC) =>
  oidc.params?.response_mode === 'form_post' && response.is('html') !== false;

function hostOf(address: string): string {
  const url = parseUrl(address);
  return url === null ? 'another site' : url.host || url.protocol;
}
