import { Injectable } from '@nestjs/common';
import { toMajor } from '../../platform/money.js';
import type { Page } from '../../platform/schema/pages/page.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { everyPage } from '../../search/find.js';
import { EXPORT_CUSTOMERS } from './customer.statements.js';
import type { ExportCustomersInput, ExportedCustomer } from './customer-export.dto.js';
import { CustomersService } from './customers.service.js';
import { CustomerSearch } from './finding/customer-search.service.js';

const PAGE = 100;

/** Exports as a table all customers that list_customers would list, or find_customers find. */
@Injectable()
export class CustomerExport {
  constructor(
    private readonly customers: CustomersService,
    private readonly finding: CustomerSearch,
  ) {}

  /**
   * Yields page after page. Each is read separately, so that no transaction is held open for a slow reader.
   * @throws OperationError like find_customers
   */
  async *pages(
    ctx: StoreContext,
    { search, ...filters }: ExportCustomersInput,
  ): AsyncGenerator<ExportedCustomer[]> {
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    const page = (cursor?: string): Promise<Page<{ id: string }>> =>
      isFiltered
        ? this.finding.page(ctx, { ...filters, take: PAGE, cursor })
        : this.customers.list(ctx, { search, take: PAGE, cursor });
    for await (const items of everyPage(page)) {
      const ids = items.map(({ id }) => id);
      const rows = await ctx.session.read(EXPORT_CUSTOMERS, { ids });
      const byId = new Map(rows.map((row) => [row.id, row]));
      // A customer who has just been erased is left out.
      yield ids
        .flatMap((id) => byId.get(id) ?? [])
        .map((row) => ({
          ...row,
          orderCount: Number(row.orderCount),
          totalSpent: toMajor(row.totalSpent, ctx.currency),
          bonusBalance: Number(row.bonusBalance).toFixed(2),
          currency: ctx.currency,
        }));
    }
  }
}
