import { Injectable } from '@nestjs/common';
import { toMinor } from '../../platform/money.js';
import { invalidInput } from '../../platform/operation/operation-error.js';
import type { StoreContext } from '../../platform/operation/store-context.js';
import { LOCK_PRODUCTS, LOCK_VARIANTS } from './order.statements.js';
import type { CartItem } from './place-order.dto.js';
import { moveStock, type StockRow } from './stock-moves.js';

/** One line of a cart as the shop prices it. */
export interface PricedLine {
  productId: string;
  title: string;
  quantity: number;
  /** Of one piece, minor units. */
  priceMinor: bigint;
  size: string | null;
  optionTitle: string | null;
  variantValue: string | null;
  /** The product's internal id, and the variant's. */
  catalogProductId: string;
  catalogVariantId: string | null;
  /** What a category rate of the store's cashback may name: id, slug and name of the category, and the name the product carries. */
  categoryKeys: string[];
  /** Pieces taken from tracked stock; 0 where stock is not tracked. */
  stockTaken: number;
}

interface Priced extends StockRow {
  price: string;
  sale_price: string | null;
}

interface ProductRow extends Priced {
  product_id: string;
  title: string;
  is_hidden: boolean;
  category_keys: (string | null)[];
  has_variants: boolean;
}

interface VariantRow extends Priced {
  product_id: string;
  option_title: string;
  variant_value: string;
}

/** Prices a cart from the catalog and takes its stock, in the transaction of the order. */
@Injectable()
export class Cart {
  /** @throws OperationError invalid_input naming the item that cannot be had; nothing is taken then */
  async take(ctx: StoreContext, items: CartItem[]): Promise<PricedLine[]> {
    const products = await ctx.session.run<ProductRow>(LOCK_PRODUCTS, [...new Set(items.map(({ productId }) => productId))]);
    const byExternalId = new Map(products.map((product) => [product.product_id, product]));
    const variants = items.some(namesVariant)
      ? await ctx.session.run<VariantRow>(
          LOCK_VARIANTS,
          products.map(({ id }) => id),
        )
      : [];
    const taken = new Map<Priced, number>();
    const lines = items.map((item, i) => {
      const path = `items[${i}]`;
      const product = byExternalId.get(item.productId);
      if (!product || product.is_hidden) throw invalidInput(`${path}.productId is not a product on sale in this store`);
      const variant = chooseVariant(item, product, variants, path);
      const sold = variant ?? product;
      taken.set(sold, (taken.get(sold) ?? 0) + item.quantity);
      if (sold.item_amount !== null && taken.get(sold)! > sold.item_amount) {
        throw invalidInput(`${path}.quantity is more than the ${sold.item_amount} in stock`);
      }
      return priceLine(ctx.currency, item, product, variant);
    });
    moveStock(ctx, taken, { products, variants });
    return lines;
  }
}

const namesVariant = ({ variantId, optionTitle, variantValue }: CartItem) => Boolean(variantId ?? optionTitle ?? variantValue);

/** @throws OperationError unless the item names exactly one variant of a product that has variants (docs/behaviour.md §6.6) */
function chooseVariant(item: CartItem, product: ProductRow, variants: VariantRow[], path: string): VariantRow | null {
  if (!namesVariant(item)) {
    if (!product.has_variants) return null;
    throw invalidInput(
      `${path}.variantId must name a variant of product ${item.productId}, which is sold in variants only: ` +
        'give variantId, or optionTitle and variantValue',
    );
  }
  // The database writes ids in small letters.
  const variantId = item.variantId?.toLowerCase();
  const fitting = variants.filter(
    (variant) =>
      variant.product_id === product.id &&
      (variantId === undefined || variant.id === variantId) &&
      (item.optionTitle === undefined || variant.option_title === item.optionTitle) &&
      (item.variantValue === undefined || variant.variant_value === item.variantValue),
  );
  const field = item.variantId ? 'variantId' : item.variantValue ? 'variantValue' : 'optionTitle';
  if (fitting.length === 0) throw invalidInput(`${path}.${field} is not a variant of product ${item.productId}`);
  if (fitting.length > 1) {
    const ids = fitting.slice(0, 10).map(({ id }) => id);
    throw invalidInput(
      `${path}.${field} fits several variants of product ${item.productId}: give the variantId of one (${ids.join(', ')})`,
    );
  }
  return fitting[0];
}

function priceLine(currency: string, item: CartItem, product: ProductRow, variant: VariantRow | null): PricedLine {
  const priced = variant ?? product;
  return {
    productId: product.product_id,
    title: product.title,
    quantity: item.quantity,
    priceMinor: toMinor(priced.sale_price ?? priced.price, currency),
    size: item.size ?? null,
    optionTitle: variant?.option_title ?? null,
    variantValue: variant?.variant_value ?? null,
    catalogProductId: product.id,
    catalogVariantId: variant?.id ?? null,
    categoryKeys: product.category_keys.filter((key) => key !== null),
    stockTaken: priced.item_amount === null ? 0 : item.quantity,
  };
}

/** The lines as statements take them: an array a column. */
export function lineColumns(lines: PricedLine[]): unknown[][] {
  const column = (read: (line: PricedLine) => unknown) => lines.map(read);
  return [
    column((line) => line.productId),
    column((line) => line.title),
    column((line) => line.quantity),
    column((line) => line.priceMinor),
    column((line) => line.size),
    column((line) => line.optionTitle),
    column((line) => line.variantValue),
    column((line) => line.catalogProductId),
    column((line) => line.catalogVariantId),
    column((line) => JSON.stringify(line.categoryKeys)),
    column((line) => line.stockTaken),
  ];
}
