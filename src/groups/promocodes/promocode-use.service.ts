import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { caseFold } from '../../platform/text/case-folding.js';
import { type Discount, discountMinor, unusableReason } from './discount.js';
import { COUNT_PROMOCODE_USE, LOCK_PROMOCODE } from './promocode.statements.js';

/** A promocode that was applied to an order. */
export interface AppliedPromocode extends Discount {
  /** The discount in minor units, from 0 to the subtotal. */
  discountMinor: bigint;
  promocodeId: string;
  /** The code as the shop wrote it. Its case may differ from what the shopper entered. */
  code: string;
}

const REASONS = {
  inactive: 'promocode is not active',
  expired: 'promocode has expired',
  used_up: 'promocode has been used up',
};

/** Counts the use of promocodes by orders that are placed. */
@Injectable()
export class PromocodeUse {
  /**
   * Checks the code and counts its use, in the transaction that places the order. The row stays locked until
   * the transaction ends, so the next order sees the new count, and an order that fails has used nothing.
   * @param subtotalMinor the subtotal of the items, in minor units of the store's currency
   * @throws OperationError invalid_input that names `promocode` and says why it cannot be used
   */
  async apply(ctx: StoreContext, code: string, subtotalMinor: bigint): Promise<AppliedPromocode> {
    const [promocode] = await ctx.session.run(LOCK_PROMOCODE, { codeKey: caseFold(code) });
    if (!promocode) throw invalidInput('promocode is not one of this store');
    const { maxUses, usedCount } = promocode;
    const counts = { maxUses: maxUses === null ? null : Number(maxUses), usedCount: Number(usedCount) };
    const reason = unusableReason({ ...promocode, ...counts }, ctx.now());
    if (reason) throw invalidInput(REASONS[reason]);
    ctx.session.send(COUNT_PROMOCODE_USE, { promocodeId: promocode.id });
    return {
      discountMinor: discountMinor(promocode, subtotalMinor, ctx.currency),
      promocodeId: promocode.id,
      code: promocode.code,
      discountType: promocode.discountType,
      discountValue: promocode.discountValue,
    };
  }
}
