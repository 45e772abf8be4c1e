import { Injectable } from '@nestjs/common';
import { toMajor } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ExportedOrder, ExportOrdersInput } from './order-export.dto.js';
import { EXPORT_ORDERS } from './order-export.statements.js';
import { OrderSearch } from './order-search.service.js';

/** Orders read at once: an order's forms may hold 32 KiB. */
const PAGE = 200;

/** Orders as a table, all that find_orders would find. */
@Injectable()
export class OrderExport {
  constructor(private readonly search: OrderSearch) {}

  /** Page after page, each read by itself: no transaction is held open for a slow reader. @throws OperationError as find_orders */
  async *pages(ctx: StoreContext, filters: ExportOrdersInput): AsyncGenerator<ExportedOrder[]> {
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await this.search.find(ctx, { ...filters, take: PAGE, cursor });
      const ids = items.map(({ id }) => id);
      const rows = await ctx.session.read<ExportedOrder & Record<string, unknown>>(EXPORT_ORDERS, ids);
      const major = (amount: string | null, currency: string) => (amount === null ? null : toMajor(amount, currency));
      yield rows.map((row) => ({
        ...row,
        totalPrice: toMajor(row.totalPrice, row.currency),
        tipAmount: major(row.tipAmount, row.currency),
      }));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
