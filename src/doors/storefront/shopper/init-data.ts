import { isValid } from '@tma.js/init-data-node';
import type { Shopper } from '../../../groups/customers/first-contact.service.js';
import { parseExactJson } from '../exact-json.js';
import { type MessengerUser, shopperOf } from './messenger-user.js';
import { DAY_MS } from '../../../platform/clock.js';

/** The verified part of the init data: who opened the Mini App, and with which start parameter. */
interface InitData {
  shopper: Shopper;
  startParam: string | null;
}

const MAX_AGE_MS = DAY_MS;
/** How far the messenger's clock may be ahead of that of the service. */
const MAX_AHEAD_MS = 300_000;

/**
 * Reads Mini App init data that was signed with the bot's token at most a day ago. The library checks the
 * signature. Age, user id and repeated names are checked here, because the library uses the system's time,
 * parses ids as JavaScript numbers, and uses the last of several equal names.
 * @returns null if the init data is not valid
 */
export function verifyInitData(text: string, botToken: string, now: Date): InitData | null {
  const values = new URLSearchParams(text);
  if (new Set(values.keys()).size !== values.size || !isValid(values, botToken, { expiresIn: 0 }))
    return null;
  const authDate = values.get('auth_date') ?? '';
  if (!/^\d{1,12}$/.test(authDate)) return null;
  const age = now.getTime() - Number(authDate) * 1000;
  if (age > MAX_AGE_MS || age < -MAX_AHEAD_MS) return null;
  const shopper = readUser(values.get('user'));
  return shopper && { shopper, startParam: values.get('start_param') };
}

function readUser(json: string | null): Shopper | null {
  if (json === null) return null;
  try {
    return shopperOf(parseExactJson(json) as MessengerUser | null);
  } catch {
    return null;
  }
}
