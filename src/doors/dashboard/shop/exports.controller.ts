import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { ExportCustomersInput, ExportedCustomer } from '../../../groups/customers/customer-export.dto.js';
import { CustomerExport } from '../../../groups/customers/customer-export.service.js';
import { ExportedOrder, ExportOrdersInput } from '../../../groups/orders/reading/order-export.dto.js';
import { OrderExport } from '../../../groups/orders/reading/order-export.service.js';
import { ExportedProduct, ExportProductsInput } from '../../../groups/products/reading/product-export.dto.js';
import { ProductExport } from '../../../groups/products/reading/product-export.service.js';
import type { Finished } from '../../../platform/schema/present.js';
import type { DtoClass } from '../../../platform/schema/field-spec.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { Exports, type Table } from './exports.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

const DESCRIPTION =
  'UTF-8 with a byte order mark, quoted as in RFC 4180, amounts in major units, times in ISO 8601 by the ' +
  "store's time zone. A text that begins as a formula does gets an apostrophe before it. It is one read of " +
  'the budget and audited with its number of rows. Two exports of a store may run at once; a third is 429.';

function Export(
  kind: Table<object>['kind'],
  summary: string,
  input: DtoClass,
  output: DtoClass,
): MethodDecorator {
  const path = `stores/:storeId/${kind}/export.csv`;
  return Operation({
    door: DASHBOARD,
    method: 'GET',
    path,
    groups: kind,
    summary,
    description: DESCRIPTION,
    input,
    output,
    stream: 'text/csv; charset=utf-8',
  });
}

/** Exports of tables for spreadsheets. */
@Controller(API_PATH)
export class ExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly orderExport: OrderExport,
    private readonly customerExport: CustomerExport,
    private readonly productExport: ProductExport,
  ) {}

  @Export('orders', 'Download orders as a CSV file', ExportOrdersInput, ExportedOrder)
  orders(ctx: StoreContext, filters: ExportOrdersInput, caller: Caller): Promise<Finished> {
    const { decimalComma: _, ...found } = filters;
    const pages = this.orderExport.pages(ctx, found);
    return this.exports.start(ctx, caller, { kind: 'orders', row: ExportedOrder, filters, pages });
  }

  @Export('customers', 'Download customers as a CSV file', ExportCustomersInput, ExportedCustomer)
  customers(ctx: StoreContext, filters: ExportCustomersInput, caller: Caller): Promise<Finished> {
    const { decimalComma: _, ...found } = filters;
    const pages = this.customerExport.pages(ctx, found);
    return this.exports.start(ctx, caller, { kind: 'customers', row: ExportedCustomer, filters, pages });
  }

  @Export(
    'products',
    'Download products and their variants as a CSV file',
    ExportProductsInput,
    ExportedProduct,
  )
  products(ctx: StoreContext, filters: ExportProductsInput, caller: Caller): Promise<Finished> {
    const { decimalComma: _, ...found } = filters;
    const pages = this.productExport.pages(ctx, found);
    return this.exports.start(ctx, caller, { kind: 'products', row: ExportedProduct, filters, pages });
  }
}
