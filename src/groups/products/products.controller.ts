import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { DeleteInput, Deleted, PageInput } from '../../platform/schema/pages/page.dto.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  UpdatePricesInput,
  UpdatePricesResult,
  UpdateStocksInput,
  UpdateStocksResult,
} from './bulk/bulk.dto.js';
import { BulkService } from './bulk/bulk.service.js';
import {
  CreateProductsInput,
  CreateProductsResult,
  UpdateProductsInput,
  UpdateProductsResult,
} from './bulk/many-products.dto.js';
import { ManyProducts } from './bulk/many-products.service.js';
import { FindProductsInput, FoundProduct } from './reading/product-search.dto.js';
import { ProductSearch } from './reading/product-search.service.js';
import {
  CreateProductInput,
  ProductIdInput,
  ProductListItem,
  ProductRecord,
  SavedProduct,
  UpdateProductInput,
} from './products.dto.js';
import { PRODUCT, ProductsService } from './products.service.js';
import { StockRecord, UpdateStockInput } from './stock.dto.js';
import { StockService } from './stock.service.js';
import {
  CreateVariantInput,
  ListVariantsInput,
  SavedVariant,
  UpdateVariantInput,
  VariantRecord,
} from './variants/variants.dto.js';
import { VARIANT, VariantsService } from './variants/variants.service.js';

@Controller('v1')
export class ProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly variants: VariantsService,
    private readonly stock: StockService,
    private readonly bulk: BulkService,
    private readonly many: ManyProducts,
    private readonly search: ProductSearch,
  ) {}

  @Operation({
    name: 'list_products',
    scope: 'read',
    summary: 'List products',
    description:
      'List products, newest first, including hidden ones, without their variants. To search use ' +
      'find_products.',
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
    description: 'Get a product with its variants.',
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
    description: 'Create a product, with variants if it has any.',
    input: CreateProductInput,
    output: SavedProduct,
    additive: true,
  })
  create(ctx: StoreContext, input: CreateProductInput) {
    return this.products.create(ctx, input);
  }

  @Operation({
    name: 'update_product',
    scope: 'write',
    summary: 'Update a product',
    description:
      'Change the given fields of a product, by its internal id. Null clears a field. For variants use ' +
      'update_variant, for relative stock update_stock.',
    input: UpdateProductInput,
    output: SavedProduct,
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
      'Permanently delete a product and its variants, by its internal id. To take it off sale, set ' +
      'isHidden instead.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    ifMatch: true,
    asks: aboutRecord('Delete', PRODUCT),
  })
  delete(ctx: StoreContext, input: DeleteInput) {
    return this.products.delete(ctx, input.id);
  }

  @Operation({
    name: 'update_stock',
    scope: 'write',
    summary: 'Change the stock of a product or variant',
    description:
      'Add to stock (delta) or set it (absolute). If the product has variants, give variantId: without it ' +
      'their stock stays unchanged. A repeated delta counts twice.',
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
    description:
      'List the variants of a product, with their ids, prices (major units) and stock, newest first.',
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
    description: 'Change the given fields of a variant.',
    input: UpdateVariantInput,
    output: SavedVariant,
    idempotent: true,
    ifMatch: true,
  })
  updateVariant(ctx: StoreContext, input: UpdateVariantInput) {
    return this.variants.update(ctx, input);
  }

  @Operation({
    name: 'find_products',
    scope: 'read',
    summary: 'Find products',
    description:
      'Find products by text, brand, category, low stock or change time, newest first, with their variants ' +
      'and a total. Prices in major units.',
    input: FindProductsInput,
    output: FoundProduct,
    list: 'counted',
    beyond: true,
  })
  find(ctx: StoreContext, input: FindProductsInput) {
    return this.search.find(ctx, input);
  }

  @Operation({
    name: 'create_variant',
    scope: 'write',
    summary: 'Create a variant',
    description: 'Add a variant to a product.',
    input: CreateVariantInput,
    output: SavedVariant,
    additive: true,
    beyond: true,
  })
  createVariant(ctx: StoreContext, input: CreateVariantInput) {
    return this.variants.create(ctx, input);
  }

  @Operation({
    name: 'delete_variant',
    scope: 'admin',
    summary: 'Delete a variant for good',
    description: 'Permanently delete a variant of a product.',
    input: DeleteInput,
    output: Deleted,
    destructive: true,
    ifMatch: true,
    beyond: true,
    asks: aboutRecord('Delete', VARIANT),
  })
  deleteVariant(ctx: StoreContext, input: DeleteInput) {
    return this.variants.delete(ctx, input.id);
  }

  @Operation({
    name: 'update_stocks',
    scope: 'write',
    summary: 'Change many stocks at once',
    description: 'Change the stock of up to 200 products or variants. Items fail one by one.',
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
    description: 'Set prices of up to 200 products or variants. preview: true changes nothing.',
    input: UpdatePricesInput,
    output: UpdatePricesResult,
    idempotent: true,
    beyond: true,
  })
  updatePrices(ctx: StoreContext, input: UpdatePricesInput) {
    return this.bulk.updatePrices(ctx, input);
  }

  @Operation({
    name: 'create_products',
    scope: 'write',
    summary: 'Create many products at once',
    description:
      'Create up to 100 products with variants. New ones need title, description, images and price. ' +
      'upsert: true also updates existing productIds. Items fail one by one.',
    input: CreateProductsInput,
    output: CreateProductsResult,
    beyond: true,
  })
  createMany(ctx: StoreContext, input: CreateProductsInput) {
    return this.many.create(ctx, input);
  }

  @Operation({
    name: 'update_products',
    scope: 'write',
    summary: 'Change many products at once',
    description: 'Change fields of up to 100 products by id or productId. Items fail one by one.',
    input: UpdateProductsInput,
    output: UpdateProductsResult,
    idempotent: true,
    beyond: true,
  })
  updateMany(ctx: StoreContext, input: UpdateProductsInput) {
    return this.many.update(ctx, input);
  }
}
