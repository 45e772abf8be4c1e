import type { Shop } from '../api';

export type Method = Shop['paymentMethods'][number];

/**
 * The ways to pay that are offered now. Where the owner agrees with each shopper, an order still names one.
 * @param visible the fields of the form that are shown; null before it is filled in
 */
export function methodsOf({ checkout, paymentMethods }: Shop, visible: ReadonlySet<string> | null): Method[] {
  const isShown = ({ fieldId }: Method) => fieldId === null || visible === null || visible.has(fieldId);
  const offered = paymentMethods.filter(isShown);
  if (offered.length > 0 || checkout.mode !== 'manual') return offered;
  return [{ name: 'manual', label: '', kind: 'agreement', fieldId: null, isTest: false }];
}
