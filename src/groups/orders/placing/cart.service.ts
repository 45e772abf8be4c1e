import { Injectable } from '@nestjs/common';
import { toMinor } from '../../../platform/money.js';
import { invalidInput } from '../../../platform/errors.js';
import type { RowOf } from '../../../platform/database/statement.js';
import { isSameName, nameKey } from '../../../platform/text/name-key.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { LOCK_PRODUCTS, LOCK_VARIANTS, READ_PRODUCTS, READ_VARIANTS } from '../order/order.statements.js';
import type { PricedLine } from '../order/order-lines.js';
import type { CartItem } from './place-order.dto.js';
import { moveStock, type StockRow } from './stock-moves.js';

type ProductRow = RowOf<typeof LOCK_PRODUCTS>;
type VariantRow = RowOf<typeof LOCK_VARIANTS>;

/** Products and their variants, locked by the transaction. */
export interface Catalog {
  products: ProductRow[];
  variants: VariantRow[];
}

/** The product of a line, by its external id, and whatever is known about its variant. */
type Named = Pick<CartItem, 'productId'> & {
  [Name in 'variantId' | 'optionTitle' | 'variantValue']?: string | null;
};

/**
 * Locks the products that lines name, and then the variants. Everything that locks several of them uses this
 * order.
 * @param isLocked false only reads them
 */
export async function lockCatalog(ctx: StoreContext, lines: Named[], isLocked = true): Promise<Catalog> {
  const { session } = ctx;
  const now = ctx.now();
  const asked = { productKeys: [...new Set(lines.map(({ productId }) => nameKey(productId)))], now };
  const products = isLocked
    ? await session.query(LOCK_PRODUCTS, asked)
    : await session.read(READ_PRODUCTS, asked);
  const ids = new Map(
    products.flatMap((product) => (product.has_variants ? [[nameKey(product.product_id), product.id]] : [])),
  );
  const named = lines.filter((line) => ids.has(nameKey(line.productId)) && namesVariant(line));
  if (named.length === 0) return { products, variants: [] };
  const wanted = {
    now,
    productIds: named.map(({ productId }) => ids.get(nameKey(productId))),
    variantIds: named.map(({ variantId }) => variantId?.toLowerCase()),
    optionKeys: named.map(({ optionTitle }) => optionTitle && nameKey(optionTitle)),
    valueKeys: named.map(({ variantValue }) => variantValue && nameKey(variantValue)),
  };
  const variants = isLocked
    ? await session.query(LOCK_VARIANTS, wanted)
    : await session.read(READ_VARIANTS, wanted);
  return { products, variants };
}

/** Prices a cart from the catalog and takes its stock, in the transaction of the order. */
@Injectable()
export class Cart {
  /** @throws OperationError invalid_input naming the item that cannot be ordered; no stock is taken then */
  async take(ctx: StoreContext, items: CartItem[]): Promise<PricedLine[]> {
    const catalog = await lockCatalog(ctx, items);
    const { lines, taken } = sellAll(ctx.currency, catalog, items);
    moveStock(ctx, taken, catalog);
    return lines;
  }

  /** Prices a cart as `take` does, and locks and takes nothing. */
  async look(ctx: StoreContext, items: CartItem[]): Promise<PricedLine[]> {
    return sellAll(ctx.currency, await lockCatalog(ctx, items, false), items).lines;
  }
}

function sellAll(currency: string, catalog: Catalog, items: CartItem[]) {
  const taken = new Map<StockRow, number>();
  const lines = items.map((item, i) => {
    const path = `items[${i}]`;
    const { line, sold } = sell(currency, catalog, item, path);
    taken.set(sold, (taken.get(sold) ?? 0) + item.quantity);
    requireStock(sold, taken.get(sold)!, path);
    return line;
  });
  return { lines, taken };
}

/** @throws OperationError invalid_input naming the item whose product or variant is not on sale */
export function sell(
  currency: string,
  { products, variants }: Catalog,
  item: CartItem,
  path: string,
): { line: PricedLine; sold: StockRow } {
  const product = products.find(({ product_id }) => isSameName(product_id, item.productId));
  if (!product || product.is_off_sale)
    throw notOnSale(`${path}.productId`, 'a product on sale in this store');
  const variant = chooseVariant(item, product, variants, path);
  return { line: priceLine(currency, item, product, variant), sold: variant ?? product };
}

/** @throws OperationError invalid_input if `wanted` exceeds the pieces in stock */
export function requireStock({ item_amount: there }: StockRow, wanted: number, path: string): void {
  if (there !== null && wanted > there)
    throw invalidInput(`${path}.quantity is more than the ${there} in stock`).about('out_of_stock', {
      path: `${path}.quantity`,
      left: there,
    });
}

const notOnSale = (path: string, what: string) =>
  invalidInput(`${path} is not ${what}`).about('not_on_sale', { path });

/** Whether an item asks for this name, or for any. */
export const isNamed = (asked: string | undefined, name: string | null) =>
  asked === undefined || (name !== null && isSameName(asked, name));

const namesVariant = ({ variantId, optionTitle, variantValue }: Named) =>
  Boolean(variantId ?? optionTitle ?? variantValue);

/**
 * @throws OperationError unless the item names exactly one variant of a product that has variants
 * (docs/behaviour.md §6.6)
 */
function chooseVariant(
  item: CartItem,
  product: ProductRow,
  variants: VariantRow[],
  path: string,
): VariantRow | null {
  if (!namesVariant(item)) {
    if (!product.has_variants) return null;
    throw invalidInput(
      `${path}.variantId must name a variant of product ${item.productId}, which is sold in variants only: ` +
        'give variantId, or optionTitle and variantValue',
    ).about('choose_variant', { path: `${path}.variantId` });
  }
  // The database writes ids in lower case.
  const variantId = item.variantId?.toLowerCase();
  const fitting = variants.filter(
    (variant) =>
      variant.product_id === product.id &&
      (variantId === undefined || variant.id === variantId) &&
      isNamed(item.optionTitle, variant.option_title) &&
      isNamed(item.variantValue, variant.variant_value),
  );
  const field = item.variantId ? 'variantId' : item.variantValue ? 'variantValue' : 'optionTitle';
  if (fitting.length === 0) throw notOnSale(`${path}.${field}`, `a variant of product ${item.productId}`);
  if (fitting.length > 1) {
    const ids = fitting.slice(0, 10).map(({ id }) => id);
    throw invalidInput(
      `${path}.${field} fits several variants of product ${item.productId}: give the variantId of one ` +
        `(${ids.join(', ')})`,
    ).about('choose_variant', { path: `${path}.${field}` });
  }
  return fitting[0];
}

function priceLine(
  currency: string,
  item: CartItem,
  product: ProductRow,
  variant: VariantRow | null,
): PricedLine {
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
