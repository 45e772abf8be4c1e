import { couldBeGranted, type Principal, type Resource, type Scope, SCOPES } from '../store/principal.js';

/** Where a client learns how to get a token for a resource (RFC 9728). */
export const metadataUrl = (baseUrl: string, resource: Resource) => `${baseUrl}/.well-known/oauth-protected-resource${resource}`;

/** A scope together with those it includes, as OAuth writes them. */
export const scopesUpTo = (scope: Scope) => SCOPES.slice(0, SCOPES.indexOf(scope) + 1).join(' ');

/**
 * The `WWW-Authenticate` of a 401 (RFC 6750 §3): which scopes to ask for, and where to find out how. `read write` is what clients
 * then ask for; the person who grants it may lower it, and some clients cannot raise it later.
 * @param isTokenBad a token was sent and refused
 */
export function signInChallenge(baseUrl: string, resource: Resource, isTokenBad: boolean): string {
  const error = { error: 'invalid_token', error_description: 'The access token is unknown, expired or revoked' };
  return bearer({ ...(isTokenBad ? error : {}), scope: scopesUpTo('write'), resource_metadata: metadataUrl(baseUrl, resource) });
}

/** The `WWW-Authenticate` of a 403 where asking the person again could help; null where it could not. */
export function consentChallenge(baseUrl: string, principal: Principal, needed: Scope, operation: string): string | null {
  if (!couldBeGranted(principal, needed)) return null;
  return bearer({
    error: 'insufficient_scope',
    error_description: `${operation} needs ${needed}`,
    scope: scopesUpTo(needed),
    resource_metadata: metadataUrl(baseUrl, principal.consent!.resource),
  });
}

const bearer = (parameters: Record<string, string>) =>
  `Bearer ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
