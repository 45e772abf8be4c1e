import type { Big } from 'big.js';
import type { AuditDraft } from '../../../platform/store/store-context.js';
import { BONUS_DECIMALS } from '../../customers/bonus-ledger.service.js';
import type { CancelledMovement } from './held-stock.js';
import type { OrderMovementRecord } from '../order/order-movement.dto.js';

/** What a change of an order gave back or took back. Bonus is in major units. */
export interface Amounts {
  stock?: CancelledMovement[];
  promocode?: string | false;
  bonus?: Big;
  cashback?: Big;
  /** What of bonus or cashback became the customer's debt. */
  owed?: Big;
  /** The referrer's reward for the order. */
  referrerReward?: Big;
}

export type Changes = NonNullable<AuditDraft['changes']>;

/** What a change of an order moved, for the audit row and for the result of the call. */
export interface OrderMovement {
  changes: Changes;
  givenBack?: OrderMovementRecord;
  takenBack?: OrderMovementRecord;
}

export const NOTHING_MOVED: OrderMovement = { changes: {} };

/** One change for the audit row, without empty parts; no change if all parts are empty. */
export function changeOf(name: string, before: Amounts | null, after: Amounts | null): Changes {
  const { stock = [], promocode, ...amounts } = (before ?? after)!;
  const parts = {
    ...(stock.length > 0 ? { stock: stock.map(piecesOf) } : {}),
    ...(promocode ? { promocode } : {}),
    ...Object.fromEntries(
      Object.entries(amounts)
        .filter(([, amount]) => amount?.gt(0))
        .map(([part, amount]) => [part, amount.toFixed(BONUS_DECIMALS)]),
    ),
  };
  if (Object.keys(parts).length === 0) return {};
  return { [name]: before ? [parts, null] : [null, parts] };
}

/** The same for the result of the call, with every part; absent if nothing of them moved. */
export function movementOf<Name extends 'givenBack' | 'takenBack'>(
  name: Name,
  { stock = [], promocode, bonus, cashback, owed }: Amounts,
): { [name in Name]?: OrderMovementRecord } {
  const record: OrderMovementRecord = {
    stock: stock.map(({ line, quantity }) => ({
      productId: line.product_id,
      variantId: line.catalog_variant_id,
      quantity,
    })),
    bonus: Number(bonus ?? 0),
    promocode: promocode || null,
    cashback: Number(cashback ?? 0),
    owed: Number(owed ?? 0),
  };
  const { promocode: code, bonus: spent, cashback: earned } = record;
  const isEmpty = stock.length === 0 && code === null && spent === 0 && earned === 0;
  return (isEmpty ? {} : { [name]: record }) as { [name in Name]?: OrderMovementRecord };
}

/** The pieces of a line, as the audit row shows them. */
const piecesOf = ({ line, quantity }: CancelledMovement) => ({
  productId: line.product_id,
  ...(line.variant_value === null ? {} : { variantValue: line.variant_value }),
  quantity,
});
