import { words } from '../../../words';
import { type Known, read, Unfit } from './cells';
import type { Row } from './csv';
import type { Plan, Work } from './work';

type Made = Required<Work<'create_products'>>;

/** Whether a row that names no stored record can be that of a new product, or of a variant of one. */
export const isNew = ({ cells: { productId, title } }: Row) => Boolean(productId && title);

const given = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** Adds the products that are not stored. The rows of variants follow that of their product. */
export function newProducts(
  plan: Plan,
  rows: Row[],
  known: Known,
  attempt: (row: Row, act: () => void) => void,
) {
  const made = new Map<string, Made>();
  for (const row of rows.filter(isNew)) {
    attempt(row, () => {
      const { productId = '', title = '', variant } = row.cells;
      const own = made.get(productId);
      if (variant && !own) throw new Unfit(words.imports.noProduct(productId));
      if (!variant && own) throw new Unfit(words.imports.twice);
      if (variant) addVariant(own!, row, known);
      else if (!picturesOf(row)) throw new Unfit(words.imports.noPicture);
      else made.set(productId, { line: row.line, others: [], item: productOf(row, known) });
      const after = row.cells.price ?? '';
      plan.differences.push({ line: row.line, name: variant ?? title, field: null, before: '', after });
      if (!variant && row.cells.isHidden && read('isHidden', row.cells.isHidden, known))
        plan.products.push({ line: row.line, item: { id: productId, isHidden: true } });
    });
  }
  plan.created.push(...made.values());
}

/** What products and variants have. */
const soldOf = ({ cells }: Row, known: Known) => ({
  price: read('price', cells.price ?? '', known) as number,
  ...given({
    salePrice: read('salePrice', cells.salePrice ?? '', known),
    itemAmount: read('itemAmount', cells.itemAmount ?? '', known),
    sku: read('sku', cells.sku ?? '', known),
    barcode: read('barcode', cells.barcode ?? '', known),
  }),
});

/** The column of all pictures, or else that of the first one. */
const picturesOf = ({ cells }: Row) => cells.images || cells.image;

const productOf = (row: Row, known: Known): Work<'create_products'>['item'] => ({
  ...soldOf(row, known),
  productId: row.cells.productId!,
  title: row.cells.title!,
  description: row.cells.description ?? '',
  images: read('images', picturesOf(row)!, known) as string[],
  ...given({
    tags: row.cells.tags || null,
    brandId: read('brand', row.cells.brand ?? '', known),
    categoryId: read('category', row.cells.category ?? '', known),
  }),
});

/** `Size: M` is the value M of the option Size. */
function addVariant({ item, others }: Made, row: Row, known: Known) {
  const [, optionTitle, variantValue] = /^(.+?): (.+)$/s.exec(row.cells.variant!) ?? [];
  if (!optionTitle) throw new Unfit(words.imports.variant);
  item.variants ??= [];
  const value = { variantValue, ...soldOf(row, known) };
  const group = item.variants.find((one) => one.optionTitle === optionTitle);
  if (group) group.values.push(value);
  else item.variants.push({ optionTitle, values: [value] });
  others.push(row.line);
}
