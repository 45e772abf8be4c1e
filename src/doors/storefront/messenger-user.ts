import { isCustomerId } from '../../groups/customers/customer-id.js';
import { MAX_NAME, MAX_USERNAME } from '../../groups/customers/customers.dto.js';
import type { Shopper } from '../../groups/customers/first-contact.service.js';

/** A user as the messenger writes one, in init data and in updates; ids over 2^53 as text (`parseExactJson`). */
export interface MessengerUser {
  id?: unknown;
  is_bot?: unknown;
  first_name?: unknown;
  last_name?: unknown;
  username?: unknown;
}

/** The shopper a messenger user is; null for bots, and for what is no user. */
export function shopperOf(user: MessengerUser | null | undefined): Shopper | null {
  const id = typeof user?.id === 'string' || Number.isSafeInteger(user?.id) ? String(user?.id) : '';
  if (!user || !isCustomerId(id) || user.is_bot === true) return null;
  const { first_name: first, last_name: last, username } = user;
  return { id, firstName: name(first, MAX_NAME), lastName: name(last, MAX_NAME), username: name(username, MAX_USERNAME) };
}

/** What PostgreSQL cannot store is taken out, and what update_customer would not take is cut off. */
function name(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').slice(0, max);
  return text.replace(/[\uD800-\uDBFF]$/, '').toWellFormed() || null;
}

export const nameOf = ({ id, username, firstName }: Shopper) => username ?? firstName ?? id;

/** Whose link brought a shopper: `ref_<customer id>`, as `/start` and the Mini App's start_param carry it. */
export function referrerOf(parameter: string | null): string | undefined {
  return /^ref_([1-9]\d{0,18})$/.exec(parameter ?? '')?.[1];
}

/** The messenger's public links open a bot's Mini App by its username. */
export const storefrontLink = (botUsername: string) => `https://t.me/${botUsername}?startapp`;
export const referralLink = (botUsername: string, customerId: string) => `${storefrontLink(botUsername)}=ref_${customerId}`;
