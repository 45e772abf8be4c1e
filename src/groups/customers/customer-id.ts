import { notFound, type OperationError } from '../../platform/errors.js';

const MAX_INT8 = 9_223_372_036_854_775_807n;

/** What a refusal says about an id that is not valid. */
export const CUSTOMER_ID_FORM = `must be a messenger user's id: digits of an integer from 1 to ${MAX_INT8}`;

/** Whether the text can be a messenger user's id: a positive signed 64-bit integer without leading zeros. */
export function isCustomerId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= MAX_INT8;
}

/** Whoever gives a name or another system's id is told what the id is. */
export const noSuchCustomer = (id: string): OperationError =>
  notFound(
    'Customer',
    id,
    isCustomerId(id) ? '' : ': its id is the messenger user id, digits, which find_customers has',
  );
