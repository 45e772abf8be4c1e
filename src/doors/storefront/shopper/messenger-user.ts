import { isCustomerId } from '../../../groups/customers/customer-id.js';
import { MAX_NAME, MAX_USERNAME } from '../../../groups/customers/customers.dto.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { Shopper } from '../../../groups/customers/first-contact.service.js';

/** A user in the messenger's init data and updates; an id beyond 2^53-1 is a string (`parseExactJson`). */
export interface MessengerUser {
  id?: unknown;
  is_bot?: unknown;
  first_name?: unknown;
  last_name?: unknown;
  username?: unknown;
}

/** Reads a messenger user as a shopper; null for bots and for values that are not a user. */
export function shopperOf(user: MessengerUser | null | undefined): Shopper | null {
  const id = typeof user?.id === 'string' || Number.isSafeInteger(user?.id) ? String(user?.id) : '';
  if (!user || !isCustomerId(id) || user.is_bot === true) return null;
  const { first_name: first, last_name: last, username } = user;
  return {
    id,
    firstName: name(first, MAX_NAME),
    lastName: name(last, MAX_NAME),
    username: name(username, MAX_USERNAME),
  };
}

/** Removes what PostgreSQL cannot store, and cuts the text to the length that update_customer accepts. */
function name(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').slice(0, max);
  return text.replace(/[\uD800-\uDBFF]$/, '').toWellFormed() || null;
}

export const nameOf = ({ id, username, firstName }: Shopper) => username ?? firstName ?? id;

/**
 * The customer whose referral link brought a shopper, from `ref_<customer id>` in `/start` or in the Mini
 * App's start_param.
 */
export function referrerOf(parameter: string | null): string | undefined {
  return /^ref_([1-9]\d{0,18})$/.exec(parameter ?? '')?.[1];
}

/** The page of the shop that a link names: that of a product, from `p_<id>`; else the first. */
export function pageOf(parameter: string | null): string {
  const [, id] = /^p_([0-9a-f-]{36})$/.exec(parameter ?? '') ?? [];
  return id && isUuid(id) ? `p/${id}` : '';
}
