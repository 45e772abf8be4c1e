import type { Config } from './config.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type Addresses = Pick<Config, 'baseUrl' | 'storeDomain'>;

/** The id of the store whose host this is (STORE_DOMAIN); null for any other host. */
export function storeOfHost({ storeDomain }: Addresses, host: string | undefined): string | null {
  if (storeDomain === null || host === undefined) return null;
  const [id, ...rest] = host.toLowerCase().replace(/:\d+$/, '').split('.');
  return rest.join('.') === storeDomain && UUID.test(id) ? id : null;
}

/**
 * The address at which the service was called: that of the store whose host it was, or BASE_URL. What an app
 * is given at a store's address is good there, wherever the store is moved.
 */
export function addressOf(addresses: Addresses, host: string | undefined): string {
  const storeId = storeOfHost(addresses, host);
  if (storeId === null) return addresses.baseUrl;
  const address = new URL(addresses.baseUrl);
  address.hostname = `${storeId}.${addresses.storeDomain}`;
  return address.href.replace(/\/+$/, '');
}
