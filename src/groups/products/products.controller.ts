import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import { DeleteInput, Deleted, PageInput } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { UpdatePricesInput, UpdatePricesResult, UpdateStocksInput, UpdateStocksResult } from './bulk.dto.js';
import { BulkService } from './bulk.service.js';
import { CreateProductInput, ProductIdInput, ProductListItem, ProductRecord, UpdateProductInput } from './products.dto.js';
import { ProductsService } from './products.service.js';
import { StockRecord, UpdateStockInput } from './stock.dto.js';
import { StockService } from './stock.service.js';
import { CreateVariantInput, ListVariantsInput, UpdateVariantInput, VariantRecord } from './variants.dto.js';
import { VariantsService } from './variants.service.js';

@Controller('v1')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly variants: VariantsService,
    private readonly stock: StockService,
    private readonly bulk: BulkService,
  ) {}

  @Operation({
    name: 'list_products',
    scope: 'read',
    summary: 'List products',
    description:
      'List products, newest first, hidden ones included. Returns a page with variantCount, and nextCursor; get_product gives the variants.',
    input: PageInput,
    output: ProductListItem,
    list: true,
  })
  list(ctx: StoreContext, input: PageInput) {
    return this.products.list(ctx, input);
  }

  @Operation({
    name: 'get_product',
    scope: 'read',
    summary: 'Get a product',
    description: 'Get one product by its internal id or external productId, with its variants grouped by option.',
    input: ProductIdInput,
    output: ProductRecord,
  })
  get(ctx: StoreContext, input: ProductIdInput) {
    return this.products.get(ctx, input.id);
  }

  @Operation({
    name: 'create_product',
    scope: 'write',
    summary: 'Create a product',
    description:
      'Create a product, with its variants if it has any. Prices in major units of the store currency. Returns the product.',
    input: CreateProductInput,
    output: ProductRecord,
  })
  create(ctx: StoreContext, input: CreateProductInput) {
    return this.products.create(ctx, input);
  }

  @Operation({
    name: 'update_product',
    scope: 'write',
    summary: 'Update a product',
    description:
      'Change the given fields of a product; null clears. Variants: update_variant. Relative stock: update_stock. Returns the product.',
    input: UpdateProductInput,
    output: ProductRecord,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateProductInput) {
    return this.products.update(ctx, input);
  }

  @Operation({
    name: 'delete_product',
    scope: 'admin',
    summary: 'Delete a product for good',
    description:
      'Permanently delete a product with its variants. To only take it off sale, update isHidden. Needs confirm: true.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    ifMatch: true,
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.products.delete(ctx, input.id);
  }

  @Operation({
    name: 'update_stock',
    scope: 'write',
    summary: 'Change the stock of a product or variant',
    description:
      'Add to or take from stock (delta), or set it (absolute), of a product or its variant. Never falls below 0. Returns new and old amount.',
    input: UpdateStockInput,
    output: StockRecord,
    ifMatch: true,
  })
  updateStock(ctx: StoreContext, input: UpdateStockInput) {
    return this.stock.update(ctx, input);
  }

  @Operation({
    name: 'list_variants',
    scope: 'read',
    summary: 'List the variants of a product',
    description: 'List the variants of one product by its internal id or external productId, newest first. Returns a page.',
    input: ListVariantsInput,
    output: VariantRecord,
    list: true,
  })
  listVariants(ctx: StoreContext, input: ListVariantsInput) {
    return this.variants.list(ctx, input);
  }

  @Operation({
    name: 'update_variant',
    scope: 'write',
    summary: 'Update a variant',
    description: 'Change the given fields of a variant: option, value, price, sale price, stock, order. Returns the variant.',
    input: UpdateVariantInput,
    output: VariantRecord,
    idempotent: true,
    ifMatch: true,
  })
  updateVariant(ctx: StoreContext, input: UpdateVariantInput) {
    return this.variants.update(ctx, input);
  }

  @Operation({
    name: 'create_variant',
    scope: 'write',
    summary: 'Create a variant',
    description: 'Add a variant to a product. Prices in major units. Returns the variant.',
    input: CreateVariantInput,
    output: VariantRecord,
    beyond: true,
  })
  createVariant(ctx: StoreContext, input: CreateVariantInput) {
    return this.variants.create(ctx, input);
  }

  @Operation({
    name: 'delete_variant',
    scope: 'admin',
    summary: 'Delete a variant for good',
    description: 'Permanently delete one variant of a product. Needs confirm: true.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    ifMatch: true,
    beyond: true,
  })
  deleteVariant(ctx: StoreContext, input: DeleteInput) {
    return this.variants.delete(ctx, input.id);
  }

  @Operation({
    name: 'update_stocks',
    scope: 'write',
    summary: 'Change many stocks at once',
    description:
      'Change the stock of up to 200 products or variants, each item for itself. Returns new and old amounts, or an error, by item.',
    input: UpdateStocksInput,
    output: UpdateStocksResult,
    beyond: true,
  })
  updateStocks(ctx: StoreContext, input: UpdateStocksInput) {
    return this.bulk.updateStocks(ctx, input);
  }

  @Operation({
    name: 'update_prices',
    scope: 'write',
    summary: 'Change many prices at once',
    description:
      'Set prices (major units) of up to 200 products or variants, each item for itself; preview: true only shows. Returns new and old prices.',
    input: UpdatePricesInput,
    output: UpdatePricesResult,
    idempotent: true,
    beyond: true,
  })
  updatePrices(ctx: StoreContext, input: UpdatePricesInput) {
    return this.bulk.updatePrices(ctx, input);
  }
}
