import { Injectable } from '@nestjs/common';
import { toMajor } from '../../../platform/money.js';
import type { RowOf } from '../../../platform/database/statement.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { everyPage } from '../../../search/find.js';
import type { ExportedOrder, ExportOrdersInput } from './order-export.dto.js';
import { EXPORT_ORDERS } from './order-export.statements.js';
import { OrderSearch } from './order-search.service.js';

/** The orders per read. It is small, because the forms of one order may hold 32 KiB. */
const PAGE = 200;

/** Exports all orders that find_orders would find, as a table. */
@Injectable()
export class OrderExport {
  constructor(private readonly search: OrderSearch) {}

  /**
   * Reads page by page without a transaction, which a slow reader would hold open. @throws OperationError as
   * find_orders does
   */
  async *pages(ctx: StoreContext, filters: ExportOrdersInput): AsyncGenerator<ExportedOrder[]> {
    const page = (cursor?: string) => this.search.page(ctx, { ...filters, take: PAGE, cursor });
    for await (const items of everyPage(page)) {
      const rows = await ctx.session.read(EXPORT_ORDERS, { ids: items.map(({ id }) => id) });
      yield rows.map(exported);
    }
  }
}

/** The amounts add up to the total: what nothing else explains is an adjustment, as in get_order_pricing. */
function exported({ pricing, ...row }: RowOf<typeof EXPORT_ORDERS>): ExportedOrder {
  const major = (amount: bigint | string) => toMajor(amount, row.currency);
  const discount = BigInt(pricing?.promocode?.discount ?? 0);
  const bonus = BigInt(pricing?.bonus ?? 0);
  const paid = BigInt(row.totalPrice) - BigInt(row.tipAmount ?? 0);
  return {
    ...row,
    goods: major(row.goods),
    adjustments: major(paid + discount + bonus - BigInt(row.goods)),
    promocode: pricing?.promocode?.code ?? null,
    promocodeDiscount: major(discount),
    bonus: major(bonus),
    totalPrice: major(row.totalPrice),
    tipAmount: row.tipAmount === null ? null : major(row.tipAmount),
    refunded: major(row.refunded),
  };
}
