import type { Output } from '../../api/client';

type Shipping = Output<'get_order'>['shippingAddress'];

const PARTS = ['street_line1', 'street_line2', 'city', 'state', 'post_code', 'country_code'];
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Who receives it: name, telephone, e-mail. */
export function contactOf(shipping: Shipping): string[] {
  return [shipping?.name, shipping?.phone_number, shipping?.email].filter(isText);
}

/** Where it goes, a line for each part. The messenger's own names come first in their order; what else there is follows. */
export function addressOf(shipping: Shipping): string[] {
  const address = shipping?.shipping_address;
  if (isText(address)) return [address];
  if (typeof address !== 'object' || address === null) return [];
  const parts = address as Record<string, unknown>;
  const names = [...PARTS, ...Object.keys(parts).filter((name) => !PARTS.includes(name))];
  return names.map((name) => parts[name]).filter(isText);
}
