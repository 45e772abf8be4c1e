import { RESOURCES } from '../../platform/store/call.js';

/** The parameter in which a resource's query reaches the page where the person decides. */
export const NARROWED = 'shop_narrowed';

/** The parameter in which the scope that the app asked for reaches that page. */
export const ASKED = 'shop_asked';

/** The parameter in which the groups that the app asked for by name reach that page. */
export const ASKED_GROUPS = 'shop_asked_groups';

/** The addresses for which tokens can be issued. The first is the default. */
export const resourcesOf = (baseUrl: string) => RESOURCES.map((resource) => baseUrl + resource);

/**
 * The ways in which clients write a resource: some add a slash, and some send the service's address, which
 * means the first.
 */
export function spellingsOf(baseUrl: string, resource: string): string[] {
  const isFirst = resource === resourcesOf(baseUrl)[0];
  return [resource, `${resource}/`, ...(isFirst ? [baseUrl, `${baseUrl}/`] : [])];
}

/**
 * Removes the query from each resource in a form or query. The query of /mcp narrows the tools
 * (docs/behaviour.md §8), and a token is valid for the resource with any of them.
 * @param encoded is returned unchanged if no resource has a query
 */
export function withoutResourceQueries(baseUrl: string, encoded: string): string {
  const parameters = new URLSearchParams(encoded);
  const asked = parameters.getAll('resource');
  const normalized = asked.map((address) => {
    const [, bare] = /^([^?#]*)\?[^#]*$/.exec(address) ?? [];
    return bare !== undefined && resourceOf(baseUrl, bare) ? bare : address;
  });
  if (normalized.every((address, i) => address === asked[i])) return encoded;
  parameters.delete('resource');
  for (const address of normalized) parameters.append('resource', address);
  return parameters.toString();
}

/**
 * The query of the one resource in a form or query, as in `?tools=orders`, to which the grant is bound
 * (docs/behaviour.md §15); empty without one.
 */
export function queryOfAsked(baseUrl: string, encoded: string): string {
  const [address, ...others] = new URLSearchParams(encoded).getAll('resource');
  const [, bare, query] = /^([^?#]*)(\?[^#]*)$/.exec(address ?? '') ?? [];
  return others.length === 0 && bare !== undefined && resourceOf(baseUrl, bare) ? query : '';
}

/** The address of the server of a resource. */
export const serverOf = (resource: string) =>
  resource.slice(0, -RESOURCES.find((path) => resource.endsWith(path))!.length);

/** The resource that a client means, or null if it is unknown. */
export function resourceOf(baseUrl: string, asked: string): string | null {
  return resourcesOf(baseUrl).find((resource) => spellingsOf(baseUrl, resource).includes(asked)) ?? null;
}
