import { Injectable } from '@nestjs/common';
import type { StatementShape, ParametersOf, RowOf, Statement } from '../../../platform/database/statement.js';
import { isSameName, nameKey } from '../../../platform/text/name-key.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { counted, eachItem, validItems } from '../../../platform/schema/bulk-result.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { AuditDraft, StoreContext } from '../../../platform/store/store-context.js';
import { named } from '../sale-warnings.js';
import type {
  NamedItem,
  PriceChange,
  PriceItem,
  StockChange,
  StockItem,
  UpdatePricesInput,
  UpdatePricesResult,
  UpdateStocksInput,
  UpdateStocksResult,
} from './bulk.dto.js';
import { setPrices } from './price-changes.js';
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

/** The codes by which an item can name what is sold. */
const CODES = ['sku', 'barcode'] as const;
/** The most records that one sentence names. */
const NAMED = 5;

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
    const results = await eachItem<StockChange, StockItem>(items, (item, index) => {
      const row = sold.of(item, index);
      return { ...nameOf(item, row), ...moveStock(row, item, index) };
    });
    const changed = sold.changed(before, ({ itemAmount }) => itemAmount);
    for (const { statement, rows } of byKind(changed, SET_PRODUCT_STOCKS, SET_VARIANT_STOCKS)) {
      ctx.session.enqueue(statement, {
        ids: rows.map(({ id }) => id),
        amounts: rows.map(({ itemAmount }) => itemAmount),
        now: ctx.now(),
      });
    }
    ctx.audit.changes = changesOf(before, changed, ['itemAmount']);
    // The stock of a variant is put back by the id of its product, which no code tells.
    const ofVariants = changed.filter(({ kind }) => kind === 'variant');
    if (sold.isCoded && ofVariants.length > 0)
      ctx.audit.kept = { before: Object.fromEntries(ofVariants.map((row) => [row.id, row.productId])) };
    return counted(results);
  }

  async updatePrices(
    ctx: StoreContext,
    { items, preview = false }: UpdatePricesInput,
  ): Promise<UpdatePricesResult> {
    const sold = await Sold.find(ctx, validItems(items), !preview);
    const before = sold.snapshot();
    const results = await eachItem<PriceChange, PriceItem>(items, (item, index) => {
      const row = sold.of(item, index);
      return { ...nameOf(item, row), ...setPrices(ctx, row, item, index) };
    });
    if (preview) return { preview, ...counted(results) };
    const changed = sold.changed(
      before,
      (row) => `${row.price} ${row.salePrice} ${row.saleUntil?.getTime()}`,
    );
    for (const { statement, rows } of byKind(changed, SET_PRODUCT_PRICES, SET_VARIANT_PRICES)) {
      ctx.session.enqueue(statement, {
        ids: rows.map(({ id }) => id),
        prices: rows.map(({ price }) => price),
        salePrices: rows.map(({ salePrice }) => salePrice),
        saleUntils: rows.map(({ saleUntil }) => saleUntil),
        now: ctx.now(),
      });
    }
    ctx.audit.changes = changesOf(before, changed, ['price', 'salePrice', 'saleUntil']);
    return counted(results);
  }
}

/** The rows of each kind, if there are any, with the statement that writes them. */
const byKind = <P, V>(changed: SoldRow[], ofProducts: P, ofVariants: V) =>
  [
    { statement: ofProducts, rows: changed.filter(({ kind }) => kind === 'product') },
    { statement: ofVariants, rows: changed.filter(({ kind }) => kind === 'variant') },
  ].filter(({ rows }) => rows.length > 0);

/** The rows that the items name, read once. */
class Sold {
  private constructor(
    private readonly products: SoldRow[],
    private readonly variants: SoldRow[],
    /** Whether an item names something by a code. */
    readonly isCoded: boolean,
  ) {}

  static async find(ctx: StoreContext, items: NamedItem[], isLocked: boolean): Promise<Sold> {
    const given = (name: 'productId' | 'variantId' | 'sku' | 'barcode', of = items) => [
      ...new Set(of.flatMap((item) => item[name] ?? [])),
    ];
    const names = given(
      'productId',
      items.filter(({ variantId }) => variantId === undefined),
    );
    const ids = given('variantId').filter(isUuid);
    const [skus, barcodes] = [given('sku').map(nameKey), given('barcode').map(nameKey)];
    const isCoded = skus.length + barcodes.length > 0;
    const codes = { skus, barcodes, now: ctx.now() };
    const query = <Of extends StatementShape>(statement: Statement<Of>, ...given: ParametersOf<Of>) =>
      isLocked ? ctx.session.query(statement, ...given) : ctx.session.read(statement, ...given);
    const [products, variants] = await Promise.all([
      names.length + ids.length > 0 || isCoded
        ? query(isLocked ? LOCK_SOLD_PRODUCTS : FIND_SOLD_PRODUCTS, {
            ...{ ids: names.filter(isUuid), externalKeys: names.map(nameKey), variantIds: ids },
            ...codes,
          })
        : [],
      ids.length > 0 || isCoded
        ? query(isLocked ? LOCK_SOLD_VARIANTS : FIND_SOLD_VARIANTS, { ids, ...codes })
        : [],
    ]);
    return new Sold(
      products.map((row) => ({ ...row, kind: 'product' })),
      variants.map((row) => ({ ...row, ...NO_VARIANTS, kind: 'variant' })),
      isCoded,
    );
  }

  /**
   * @throws OperationError naming the item's field: not_found, or invalid_input if the product is sold by its
   * variants, because then no shopper would see the change
   */
  of(item: NamedItem, index: number): SoldRow {
    for (const name of CODES) {
      const code = item[name];
      if (code === undefined) continue;
      if (item.variantId !== undefined)
        throw invalidInput(`items[${index}].variantId may only be given with productId`);
      return this.withCode(name, code, `items[${index}].${name}`);
    }
    const { productId = '', variantId } = item;
    if (variantId === undefined) {
      const row =
        this.products.find(({ id }) => id === productId.toLowerCase()) ??
        this.products.find(({ externalId }) => isSameName(externalId, productId));
      if (!row) return missing(`items[${index}].productId: product`, productId);
      if (row.variants.length === 0) return row;
      throw invalidInput(
        `items[${index}].variantId is required, because shoppers buy the product's variants: ` +
          named(row.variants),
      ).about('choose_variant', { path: `items[${index}].variantId` });
    }
    const row = this.variants.find(({ id }) => id === variantId.toLowerCase());
    const isOfProduct =
      row && (row.productId === productId.toLowerCase() || isSameName(row.externalId, productId));
    return isOfProduct
      ? row
      : missing(`items[${index}].variantId: variant of product ${productId.slice(0, 100)}`, variantId);
  }

  /** What is sold and has the code. A product with variants is not sold itself, so it does not count. */
  private withCode(name: (typeof CODES)[number], code: string, path: string): SoldRow {
    const all = [...this.products, ...this.variants].filter((row) => isSameName(row[name] ?? '', code));
    const [row, ...others] = all.filter(({ variants }) => variants.length === 0);
    if (!row && all.length > 0)
      throw invalidInput(
        `${path} must be that of a variant, because shoppers buy the variants of ${code}`,
      ).about('choose_variant', { path });
    if (!row) return missing(`${path}: product or variant`, code);
    if (others.length === 0) return row;
    const shown = [row, ...others]
      .slice(0, NAMED)
      .map(({ kind, id, externalId }) => `${kind} ${id} (${externalId})`);
    const more = others.length >= NAMED ? ' and others' : '';
    throw invalidInput(`${path} ${code} is that of several: ${shown.join(', ')}${more}`).about(
      'several_have_code',
      { path },
    );
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

/** As the item names it, or by its ids if that is a code. */
const nameOf = ({ productId, variantId }: NamedItem, row: SoldRow) =>
  productId === undefined
    ? { productId: row.externalId, variantId: row.kind === 'variant' ? row.id : undefined }
    : { productId, variantId };

function moveStock(row: SoldRow, { delta, absolute }: StockChange, index: number) {
  const previous = row.itemAmount;
  const next = absolute === undefined ? BigInt(previous ?? 0) + BigInt(delta!) : BigInt(absolute);
  if (next < 0n || next > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidInput(
      `items[${index}].delta would make the stock ${next}, from ${previous ?? 0}; ` +
        `it must stay from 0 to ${Number.MAX_SAFE_INTEGER}`,
    ).about('stock_beyond', { path: `items[${index}].delta`, stock: Number(next) });
  }
  row.itemAmount = Number(next);
  return { itemAmount: row.itemAmount, previousItemAmount: previous };
}

/** `product:<id>.price: [before, after]` for every field that changed. */
function changesOf(
  before: ReadonlyMap<string, SoldRow>,
  changed: SoldRow[],
  names: ('itemAmount' | 'price' | 'salePrice' | 'saleUntil')[],
): AuditDraft['changes'] {
  const shown = (value: string | number | Date | null) =>
    value instanceof Date ? value.toISOString() : value === null ? null : Number(value);
  const changes = changed.flatMap((row) =>
    names
      .filter((name) => shown(row[name]) !== shown(before.get(row.id)![name]))
      .map((name) => [`${row.kind}:${row.id}.${name}`, [shown(before.get(row.id)![name]), shown(row[name])]]),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as AuditDraft['changes']) : undefined;
}
