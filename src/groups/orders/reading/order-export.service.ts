import { Injectable } from '@nestjs/common';
import { toMajor } from '../../../platform/money.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
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
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await this.search.find(ctx, { ...filters, take: PAGE, cursor });
      const ids = items.map(({ id }) => id);
      const rows = await ctx.session.read(EXPORT_ORDERS, { ids });
      const major = (amount: string | null, currency: string) =>
        amount === null ? null : toMajor(amount, currency);
      yield rows.map((row) => ({
        ...row,
        totalPrice: toMajor(row.totalPrice, row.currency),
        tipAmount: major(row.tipAmount, row.currency),
      }));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
