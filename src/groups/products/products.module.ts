import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BulkService } from './bulk/bulk.service.js';
import { ManyProducts } from './bulk/many-products.service.js';
import { Product } from './product.entity.js';
import { ProductExport } from './reading/product-export.service.js';
import { ProductSearch } from './reading/product-search.service.js';
import { ProductsController } from './products.controller.js';
import { ProductsService } from './products.service.js';
import { StockService } from './stock.service.js';
import { Variant } from './variants/variant.entity.js';
import { VariantsService } from './variants/variants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Product, Variant])],
  controllers: [ProductsController],
  providers: [
    BulkService,
    ManyProducts,
    ProductExport,
    ProductSearch,
    ProductsService,
    StockService,
    VariantsService,
  ],
  exports: [ProductExport, ProductSearch, ProductsService],
})
export class ProductsModule {}
