import { Injectable } from '@nestjs/common';
import type { Described, Given, RowOf, Statement } from '../../../platform/database/statement.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { counted, eachItem, validItems } from '../../../platform/schema/bulk-result.js';
import { requireExactAmount } from '../../../platform/schema/exact-amount.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { withWarnings } from '../../../platform/schema/warnings.js';
import type { AuditDraft, StoreContext } from '../../../platform/store/store-context.js';
import { named, priceWarnings } from '../sale-warnings.js';
import type {
  PriceChange,
  PriceItem,
  StockItem,
  UpdatePricesInput,
  UpdatePricesResult,
  UpdateStocksInput,
  UpdateStocksResult,
} from './bulk.dto.js';
import {
  FIND_SOLD_PRODUCTS,
  FIND_SOLD_VARIANTS,
  LOCK_SOLD_PRODUCTS,
  LOCK_SOLD_VARIANTS,
  SET_PRODUCT_PRICES,
  SET_PRODUCT_STOCKS,
  SET_VARIANT_PRICES,
  SET_VARIANT_STOCKS,
} from './bulk.statements.js';
import type { UpdateStockInput } from './stock.dto.js';

/** The product or variant that an item names. */
interface Named {
  productId: string;
  variantId?: string;
}

/** A product or variant, with its values after the items processed so far. */
type SoldRow = RowOf<typeof FIND_SOLD_PRODUCTS> & { kind: 'product' | 'variant' };
/** A variant has none of its own. */
const NO_VARIANTS = { variants: [] };

/**
 * Changes many stocks or prices in one transaction of few statements. A refused item leaves the others
 * unaffected (docs/behaviour.md §13.4). Items are processed in their order, so a product that is named twice
 * is changed twice.
 */
@Injectable()
export class BulkService {
  async updateStocks(ctx: StoreContext, { items }: UpdateStocksInput): Promise<UpdateStocksResult> {
    const sold = await Sold.find(ctx, validItems(items), true);
    const before = sold.snapshot();
    const results = await eachItem<UpdateStockInput, StockItem>(items, (item, index) => ({
      ...nameOf(item),
      ...moveStock(sold.of(item, index), item, index),
    }));
    const changed = sold.changed(before, ({ itemAmount }) => itemAmount);
    for (const [kind, statement] of [
      ['product', SET_PRODUCT_STOCKS],
      ['variant', SET_VARIANT_STOCKS],
    ] as const) {
      const rows = changed.filter((row) => row.kind === kind);
      if (rows.length === 0) continue;
      ctx.session.send(statement, {
        ids: rows.map(({ id }) => id),
        amounts: rows.map(({ itemAmount }) => itemAmount),
        now: ctx.now(),
      });
    }
    ctx.audit.changes = changesOf(before, changed, ['itemAmount']);
    return counted(results);
  }

  async updatePrices(
    ctx: StoreContext,
    { items, preview = false }: UpdatePricesInput,
  ): Promise<UpdatePricesResult> {
    const sold = await Sold.find(ctx, validItems(items), !preview);
    const before = sold.snapshot();
    const results = await eachItem<PriceChange, PriceItem>(items, (item, index) => ({
      ...nameOf(item),
      ...setPrices(ctx, sold.of(item, index), item, index),
    }));
    if (preview) return { preview, ...counted(results) };
    const changed = sold.changed(before, ({ price, salePrice }) => `${price} ${salePrice}`);
    for (const [kind, statement] of [
      ['product', SET_PRODUCT_PRICES],
      ['variant', SET_VARIANT_PRICES],
    ] as const) {
      const rows = changed.filter((row) => row.kind === kind);
      if (rows.length === 0) continue;
      ctx.session.send(statement, {
        ids: rows.map(({ id }) => id),
        prices: rows.map(({ price }) => price),
        salePrices: rows.map(({ salePrice }) => salePrice),
        now: ctx.now(),
      });
    }
    ctx.audit.changes = changesOf(before, changed, ['price', 'salePrice']);
    return counted(results);
  }
}

/** The rows that the items name, read once. */
class Sold {
  private constructor(
    private readonly products: SoldRow[],
    private readonly variants: SoldRow[],
  ) {}

  static async find(ctx: StoreContext, items: Named[], isLocked: boolean): Promise<Sold> {
    const names = [
      ...new Set(items.filter(({ variantId }) => variantId === undefined).map(({ productId }) => productId)),
    ];
    const ids = [
      ...new Set(
        items.flatMap(({ variantId }) => (variantId !== undefined && isUuid(variantId) ? [variantId] : [])),
      ),
    ];
    const query = <Of extends Described>(statement: Statement<Of>, ...given: Given<Of>) =>
      isLocked ? ctx.session.run(statement, ...given) : ctx.session.read(statement, ...given);
    const [products, variants] = await Promise.all([
      names.length + ids.length > 0
        ? query(isLocked ? LOCK_SOLD_PRODUCTS : FIND_SOLD_PRODUCTS, {
            ids: names.filter(isUuid),
            externalIds: names,
            variantIds: ids,
          })
        : [],
      ids.length > 0 ? query(isLocked ? LOCK_SOLD_VARIANTS : FIND_SOLD_VARIANTS, { ids }) : [],
    ]);
    return new Sold(
      products.map((row) => ({ ...row, kind: 'product' })),
      variants.map((row) => ({ ...row, ...NO_VARIANTS, kind: 'variant' })),
    );
  }

  /**
   * @throws OperationError naming the item's field: not_found, or invalid_input if the product is sold by its
   * variants, because then no shopper would see the change
   */
  of({ productId, variantId }: Named, index: number): SoldRow {
    if (variantId === undefined) {
      const row =
        this.products.find(({ id }) => id === productId.toLowerCase()) ??
        this.products.find(({ externalId }) => externalId === productId);
      if (!row) return missing(`items[${index}].productId: product`, productId);
      if (row.variants.length === 0) return row;
      throw invalidInput(
        `items[${index}].variantId is required, because shoppers buy the product's variants: ` +
          named(row.variants),
      );
    }
    const row = this.variants.find(({ id }) => id === variantId.toLowerCase());
    const isOfProduct = row?.productId === productId.toLowerCase() || row?.externalId === productId;
    return row && isOfProduct
      ? row
      : missing(`items[${index}].variantId: variant of product ${productId.slice(0, 100)}`, variantId);
  }

  snapshot(): Map<string, SoldRow> {
    return new Map([...this.products, ...this.variants].map((row) => [row.id, { ...row }]));
  }

  /** The rows whose value of `read` has changed. */
  changed(before: ReadonlyMap<string, SoldRow>, read: (row: SoldRow) => unknown): SoldRow[] {
    return [...this.products, ...this.variants].filter((row) => read(row) !== read(before.get(row.id)!));
  }
}

function missing(what: string, id: string): never {
  throw notFound(what, id);
}

const nameOf = ({ productId, variantId }: Named) => ({ productId, variantId });

function moveStock(row: SoldRow, { delta, absolute }: UpdateStockInput, index: number) {
  const previous = row.itemAmount;
  const next = absolute === undefined ? BigInt(previous ?? 0) + BigInt(delta!) : BigInt(absolute);
  if (next < 0n || next > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidInput(
      `items[${index}].delta would make the stock ${next}, from ${previous ?? 0}; ` +
        `it must stay from 0 to ${Number.MAX_SAFE_INTEGER}`,
    );
  }
  row.itemAmount = Number(next);
  return { itemAmount: row.itemAmount, previousItemAmount: previous };
}

function setPrices(ctx: StoreContext, row: SoldRow, { price, salePrice }: PriceChange, index: number) {
  for (const [name, value] of Object.entries({ price, salePrice })) {
    const path = `items[${index}].${name}`;
    // As in create_product, a product must cost something, but a variant may be free.
    if (row.kind === 'product' && value === 0) throw invalidInput(`${path} must be a number greater than 0`);
    requireExactAmount(path, value, ctx.currency);
  }
  const [previousPrice, previousSalePrice] = [row.price, row.salePrice];
  if (price !== undefined) row.price = sameOr(previousPrice, price)!;
  if (salePrice !== undefined) row.salePrice = sameOr(previousSalePrice, salePrice);
  const number = (text: string | null) => (text === null ? null : Number(text));
  const prices = {
    price: Number(row.price),
    previousPrice: Number(previousPrice),
    salePrice: number(row.salePrice),
    previousSalePrice: number(previousSalePrice),
  };
  return withWarnings(prices, priceWarnings(prices, { price: previousPrice, salePrice: previousSalePrice }));
}

/** The new value as text, or the old text if it is the same number, which may be written with more zeros. */
function sameOr(before: string | null, after: number | null): string | null {
  if (after === null) return null;
  return before !== null && Number(before) === after ? before : String(after);
}

/** `product:<id>.price: [before, after]` for every field that changed. */
function changesOf(
  before: ReadonlyMap<string, SoldRow>,
  changed: SoldRow[],
  names: ('itemAmount' | 'price' | 'salePrice')[],
): AuditDraft['changes'] {
  const numberOf = (value: string | number | null) => (value === null ? null : Number(value));
  const changes = changed.flatMap((row) =>
    names
      .filter((name) => row[name] !== before.get(row.id)![name])
      .map((name) => [
        `${row.kind}:${row.id}.${name}`,
        [numberOf(before.get(row.id)![name]), numberOf(row[name])],
      ]),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as AuditDraft['changes']) : undefined;
}
