import { Injectable } from '@nestjs/common';
import { toMajor } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ExportCustomersInput, ExportedCustomer } from './customer-export.dto.js';
import { CustomersService } from './customers.service.js';

const PAGE = 100;

/** Exports as a table all customers that list_customers would list. */
@Injectable()
export class CustomerExport {
  constructor(private readonly customers: CustomersService) {}

  /**
   * Yields page after page. Each is read separately, so that no transaction is held open for a slow reader.
   */
  async *pages(ctx: StoreContext, { search }: ExportCustomersInput): AsyncGenerator<ExportedCustomer[]> {
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await this.customers.list(ctx, { search, take: PAGE, cursor });
      yield items.map((row) => ({
        ...row,
        orderCount: Number(row.orderCount),
        totalSpent: toMajor(row.totalSpent, ctx.currency),
        bonusBalance: Number(row.bonusBalance).toFixed(2),
        currency: ctx.currency,
      }));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
