import type { Config } from '../../platform/config/config.js';
import type { StoreBot } from './bot-credentials.service.js';

type Leading = Pick<StoreBot, 'opens' | 'appUrl'>;

/** The messenger opens https addresses only. */
export const isHttps = ({ baseUrl }: Pick<Config, 'baseUrl'>) => baseUrl.startsWith('https:');

export const shopAddress = ({ baseUrl }: Pick<Config, 'baseUrl'>, storeId: string, path = '') =>
  `${baseUrl}/shop/${storeId}${path && `/${path}`}`;

/**
 * The address that a button of the bot opens inside the messenger; null if there is none.
 * @param path a page of the shop; an app of the owner's has pages of its own
 */
export function appAddress(
  config: Pick<Config, 'baseUrl'>,
  storeId: string,
  { opens, appUrl }: Leading,
  path = '',
): string | null {
  if (opens === 'app') return appUrl;
  return opens === 'shop' && isHttps(config) ? shopAddress(config, storeId, path) : null;
}

/**
 * The public link to a bot's shop. Without a main Mini App, which the bot's owner sets in the messenger, the
 * link opens the chat, where the bot answers with a button.
 */
export const startLink = (
  { username, hasMainApp }: Pick<StoreBot, 'username' | 'hasMainApp'>,
  parameter: string,
) => `https://t.me/${username}?${hasMainApp ? 'startapp' : 'start'}=${parameter}`;
