import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { caseFold } from '../../platform/case-folding.js';
import { type Discount, discountMinor, isUsable } from './discount.js';
import type { Promocode } from './promocode.entity.js';
import { COUNT_PROMOCODE_USE, LOCK_PROMOCODE } from './promocode.statements.js';

/** What a promocode did for an order. */
export interface AppliedPromocode extends Discount {
  /** Taken off, in minor units: between 0 and the subtotal. */
  discountMinor: bigint;
  promocodeId: string;
  /** As the shop wrote it, which may differ in case from what the shopper entered. */
  code: string;
}

type LockedPromocode = Promocode & Record<string, unknown>;

const REASONS = {
  inactive: 'promocode is not active',
  expired: 'promocode has expired',
  used_up: 'promocode has been used up',
};

/** The use of promocodes by orders: the only thing that raises a use count. */
@Injectable()
export class PromocodeUse {
  /**
   * Checks the code and counts its use, in the placing transaction. The row stays locked until that ends, so the next order
   * sees the count this one leaves, and an order that fails has used nothing.
   * @param subtotalMinor of the items, minor units of the store's currency
   * @throws OperationError invalid_input that names `promocode` and says why it cannot be used
   */
  async apply(ctx: StoreContext, code: string, subtotalMinor: bigint): Promise<AppliedPromocode> {
    const [promocode] = await ctx.session.run<LockedPromocode>(LOCK_PROMOCODE, caseFold(code));
    if (!promocode) throw invalidInput('promocode is not one of this store');
    const { maxUses, usedCount } = promocode;
    const counts = { maxUses: maxUses === null ? null : Number(maxUses), usedCount: Number(usedCount) };
    const reason = isUsable({ ...promocode, ...counts }, ctx.now());
    if (reason) throw invalidInput(REASONS[reason]);
    ctx.session.send(COUNT_PROMOCODE_USE, promocode.id);
    return {
      discountMinor: discountMinor(promocode, subtotalMinor, ctx.currency),
      promocodeId: promocode.id,
      code: promocode.code,
      discountType: promocode.discountType,
      discountValue: promocode.discountValue,
    };
  }
}
