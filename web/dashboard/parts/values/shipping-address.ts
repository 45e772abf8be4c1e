import type { Output } from '../../api/client';

type Order = Output<'get_order'>;
type Shipping = Order['shippingAddress'];

const PARTS = ['street_line1', 'street_line2', 'city', 'state', 'post_code', 'country_code'];
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The recipient's number: of the messenger's payment form, or an answer of the shop's own. */
export function phoneOf({ shippingAddress, checkoutData }: Pick<Order, 'shippingAddress' | 'checkoutData'>) {
  const answer = checkoutData?.find(({ type }) => type === 'phone')?.value;
  return [shippingAddress?.phone_number, answer].find(isText);
}

/** The recipient: name, phone number, e-mail. */
export function contactOf(shipping: Shipping): string[] {
  return [shipping?.name, shipping?.phone_number, shipping?.email].filter(isText);
}

/**
 * The lines of the address. The messenger's own fields come first, in their usual order; any others follow.
 */
export function addressOf(shipping: Shipping): string[] {
  const address = shipping?.shipping_address;
  if (isText(address)) return [address];
  if (typeof address !== 'object' || address === null) return [];
  const parts = address as Record<string, unknown>;
  const names = [...PARTS, ...Object.keys(parts).filter((name) => !PARTS.includes(name))];
  return names.map((name) => parts[name]).filter(isText);
}
