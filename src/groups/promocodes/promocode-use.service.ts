import { Injectable } from '@nestjs/common';
import { GONE, KeptChanges } from '../../platform/call/kept-changes.service.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { codeKey } from '../../platform/text/keys.js';
import { type Discount, discountMinor, unusableReason } from './discount.js';
import {
  COUNT_PROMOCODE_USE,
  FIND_PROMOCODE,
  LOCK_DELETION,
  LOCK_PROMOCODE,
  RETAKE_PROMOCODE_USE,
  RETURN_PROMOCODE_USE,
} from './promocode.statements.js';

/** A promocode that was applied to an order. */
export interface AppliedPromocode extends Discount {
  /** The discount in minor units, from 0 to the subtotal. */
  discountMinor: bigint;
  promocodeId: string;
  /** The code as the shop wrote it. What the shopper entered may differ in what codeKey levels. */
  code: string;
}

const REASONS = {
  inactive: 'promocode is not active',
  expired: 'promocode has expired',
  used_up: 'promocode has been used up',
};

/**
 * What a use was given back to or taken from: the promocode, or what is kept of a deleted one, so that it has
 * the right count if its deletion is undone; null if neither can.
 */
export type MovedUse = 'promocode' | 'kept' | null;

/** Counts the uses of promocodes by orders. */
@Injectable()
export class PromocodeUse {
  constructor(private readonly kept: KeptChanges) {}

  /**
   * Checks the code and counts its use, in the transaction that places the order. The row stays locked until
   * the transaction ends, so the next order sees the new count, and an order that fails has used nothing.
   * @param isQuote nothing is locked or counted
   * @param subtotalMinor the subtotal of the items, in minor units of the store's currency
   * @throws OperationError invalid_input that names `promocode` and says why it cannot be used
   */
  async apply(
    ctx: StoreContext,
    code: string,
    subtotalMinor: bigint,
    isQuote = false,
  ): Promise<AppliedPromocode> {
    const named = { codeKey: codeKey(code) };
    const [promocode] = isQuote
      ? await ctx.session.read(FIND_PROMOCODE, named)
      : await ctx.session.query(LOCK_PROMOCODE, named);
    if (!promocode) throw invalidInput('promocode is not one of this store').about('promocode_unknown');
    const { maxUses, usedCount } = promocode;
    const counts = { maxUses: maxUses === null ? null : Number(maxUses), usedCount: Number(usedCount) };
    const reason = unusableReason({ ...promocode, ...counts }, ctx.now());
    if (reason) throw invalidInput(REASONS[reason]).about(`promocode_${reason}`);
    if (!isQuote) ctx.session.enqueue(COUNT_PROMOCODE_USE, { promocodeId: promocode.id });
    return {
      discountMinor: discountMinor(promocode, subtotalMinor, ctx.currency),
      promocodeId: promocode.id,
      code: promocode.code,
      discountType: promocode.discountType,
      discountValue: promocode.discountValue,
    };
  }

  async giveBack(ctx: StoreContext, promocodeId: string): Promise<MovedUse> {
    const give = async () =>
      (await ctx.session.query(RETURN_PROMOCODE_USE, { promocodeId })).length > 0 ? 'promocode' : null;
    // The last is for a deletion that was undone just now.
    return (await give()) ?? (await this.moveKept(ctx, promocodeId, -1n)) ?? give();
  }

  /** @param isKept whether the use was given back to what is kept of a deleted promocode */
  async retake(ctx: StoreContext, promocodeId: string, isKept: boolean): Promise<MovedUse> {
    if ((await ctx.session.query(RETAKE_PROMOCODE_USE, { promocodeId })).length > 0) return 'promocode';
    return isKept ? this.moveKept(ctx, promocodeId, 1n) : null;
  }

  private async moveKept(ctx: StoreContext, promocodeId: string, by: bigint): Promise<'kept' | null> {
    const [deletion] = await ctx.session.query(LOCK_DELETION, { promocodeId });
    const kept = deletion && (await this.kept.find(ctx, deletion.id));
    if (!kept || kept === GONE || !kept.row) return null;
    const usedCount = BigInt(kept.row.used_count as string) + by;
    if (usedCount < 0n) return null;
    this.kept.replace(ctx, deletion.id, {
      ...kept,
      row: { ...kept.row, used_count: String(usedCount) },
      changes: { ...kept.changes, usedCount: [Number(usedCount), null] },
    });
    return 'kept';
  }
}
