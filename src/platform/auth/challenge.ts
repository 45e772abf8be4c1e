import { queryOf } from '../text/url.js';
import {
  couldBeGranted,
  groupScope,
  includesScope,
  isWithin,
  type RequiredRights,
  scopesUpTo,
} from '../../access/rights.js';
import type { Principal, Resource } from '../store/call.js';

/**
 * The address at which a client learns how to get a token for a resource (RFC 9728).
 * @param address at which the service was called
 * @param query of the address that the client was given: what is told there must be of that very address
 * (§3.3)
 */
const metadataUrl = (address: string, resource: Resource, query = '') =>
  `${address}/.well-known/oauth-protected-resource${resource}${query}`;

/**
 * The query of a request as part of the resource's address. Only that of /mcp has one: there it selects
 * tools.
 */
export const queryOfResource = (resource: Resource, url: string) => (resource === '/mcp' ? queryOf(url) : '');

/**
 * The `WWW-Authenticate` header of a 401 (RFC 6750 §3). It names the scopes to ask for and where to learn
 * how. Clients then ask for `read write`. The person who grants access may lower that, and some clients
 * cannot raise it later.
 * @param query as `queryOfResource` returns it
 * @param isTokenBad a token was sent and refused
 */
export function signInChallenge(
  address: string,
  resource: Resource,
  query: string,
  isTokenBad: boolean,
): string {
  const error = {
    error: 'invalid_token',
    error_description: 'The access token is unknown, expired or revoked',
  };
  const asked = {
    scope: scopesUpTo('write').join(' '),
    resource_metadata: metadataUrl(address, resource, query),
  };
  return bearer({ ...(isTokenBad ? error : {}), ...asked });
}

/** The `WWW-Authenticate` header of a 403 when asking the person again could help; null when it could not. */
export function consentChallenge(principal: Principal, needed: RequiredRights): string | null {
  if (!couldBeGranted(principal, needed)) return null;
  const { address, resource, query } = principal.consent!;
  const { name, scope, groups } = needed;
  const isScopeEnough = includesScope(principal.scope, scope);
  const missing = isWithin(principal, needed) ? [] : groups;
  const lacks = [
    ...(isScopeEnough ? [] : [scope]),
    ...(missing.length > 0 ? [`the group ${missing.join(' or ')}`] : []),
  ];
  return bearer({
    error: 'insufficient_scope',
    error_description: `${name} needs ${lacks.join(' and ')}`,
    // Clients ask again only for a scope that their token does not name, so each group has one of its own.
    scope: [...scopesUpTo(isScopeEnough ? principal.scope : scope), ...missing.map(groupScope)].join(' '),
    resource_metadata: metadataUrl(address, resource, query),
  });
}

const bearer = (parameters: Record<string, string>) =>
  `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
