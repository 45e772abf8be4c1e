import { Unfit } from '../problem.js';
import type { Draft, SoldValues, VariantDraft } from '../reading/drafts.js';
import { plainText } from '../values/plain-text.js';
import { addEnd, given, groupsOf, withoutEnd } from './sold-changes.js';
import type { Planned, Planning, Work } from './plan.js';
import { requireMade } from './references.js';

/** Adds a product that the store does not have. @throws Unfit */
export function newProduct(draft: Draft, planned: Planned, { plan, references, settings }: Planning): void {
  const { values, line } = draft;
  if (!values.title) throw new Unfit('unknown');
  const variants = draft.variants.map((variant) => variantOf(variant, draft));
  const price = values.price ?? lowest(variants);
  if (price === null) throw new Unfit('noPrice');
  if (price <= 0) throw new Unfit('notAboveZero', String(price));
  const images = values.images ?? (settings.picture ? [settings.picture] : []);
  if (images.length === 0) throw new Unfit('noPicture');
  const brand = values.brand ? references.brand(values.brand) : undefined;
  const category = values.category ? references.category(values.category) : undefined;
  requireMade(brand, settings, 'brand');
  requireMade(category, settings, 'category');
  const { salePrice, saleUntil, itemAmount, sku, barcode, tags, subCategory } = values;
  const item = {
    productId: draft.productId,
    title: values.title,
    description: plainText(values.description ?? ''),
    ...{ images, price },
    ...given({ salePrice, itemAmount, sku, barcode, tags, subCategory }),
    ...(brand && 'id' in brand && { brandId: brand.id }),
    ...(category && 'id' in category && { categoryId: category.id }),
    ...(variants.length > 0 && { variants: groupsOf(variants) }),
  };
  const work: Work = {
    lines: draft.lines,
    item,
    ...(brand && 'make' in brand && { brand: brand.make[0] }),
    ...(category && 'make' in category && { category: category.make }),
  };
  plan.steps.created.push(work);
  if (variants.length === 0 && salePrice && saleUntil)
    plan.steps.prices.push({ lines: draft.lines, item: { productId: draft.productId, saleUntil } });
  for (const variant of draft.variants) addEnd(plan, variant.line, ownOf(variant, draft));
  if (values.isHidden)
    plan.steps.products.push({ lines: draft.lines, item: { id: draft.productId, isHidden: true } });
  planned.verdict = 'new';
  planned.made = {
    ...item,
    ...(salePrice && saleUntil && { saleUntil }),
    isHidden: values.isHidden ?? false,
    brand: values.brand ?? null,
    category: values.category?.text ?? null,
  };
  planned.line = line;
}

/** A combination without a price has that of the product, and its sale price. @throws Unfit */
function variantOf({ line, option, values }: VariantDraft, { values: own }: Draft) {
  if (!option) throw new Unfit('noOption', undefined, undefined, line);
  const price = values.price ?? own.price;
  if (price === null || price === undefined) throw new Unfit('noPrice', undefined, undefined, line);
  const { salePrice } = ownOf({ values }, { values: own });
  return { ...option, values: { ...given({ ...withoutEnd(values), salePrice }), price } };
}

/** A variant without a price of its own has the product's sale too. */
function ownOf({ values }: Pick<VariantDraft, 'values'>, { values: own }: Pick<Draft, 'values'>): SoldValues {
  const hasPrice = typeof values.price === 'number';
  const sale = hasPrice ? {} : { salePrice: own.salePrice, saleUntil: own.saleUntil };
  const { salePrice = null, saleUntil = null } = { ...sale, ...given(values) } as SoldValues;
  return { ...values, salePrice, saleUntil: salePrice === null ? null : saleUntil };
}

/** What a product costs whose variants alone have prices. */
function lowest(variants: { values: { price: number } }[]): number | null {
  const prices = variants.map(({ values }) => values.price).filter((price) => price > 0);
  return prices.length === 0 ? null : Math.min(...prices);
}
