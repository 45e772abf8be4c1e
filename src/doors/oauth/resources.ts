import { RESOURCES } from '../../platform/store/principal.js';

/** Addresses that tokens can be for, the first one by default. */
export const resourcesOf = (baseUrl: string) => RESOURCES.map((resource) => baseUrl + resource);

/** How clients write a resource: some add a slash, and some send the service's own address, which means the first. */
export function spellingsOf(baseUrl: string, resource: string): string[] {
  const isFirst = resource === resourcesOf(baseUrl)[0];
  return [resource, `${resource}/`, ...(isFirst ? [baseUrl, `${baseUrl}/`] : [])];
}

/** The resource that a client means, or null. */
export function resourceOf(baseUrl: string, asked: string): string | null {
  return resourcesOf(baseUrl).find((resource) => spellingsOf(baseUrl, resource).includes(asked)) ?? null;
}
