import { SOLD, type Field } from '../formats/fields.js';
import { Unfit } from '../problem.js';
import { nameKey } from '../values/name-key.generated.js';
import { describedAs, type Draft, type ProductValues, sameText } from '../reading/drafts.js';
import { addSold, changeVariant, groupsOf, newVariant, type Note, soldChanges } from './sold-changes.js';
import { newProduct } from './new-product.js';
import { type Plan, type Planned, type Planning, problemOf, type Shown, type Work } from './plan.js';
import { type Reference, requireMade } from './references.js';
import type { StoredProduct, StoredVariant } from './stored.js';

/** Adds what has to be done for a product to the plan. A product with a wrong line is left out whole. */
export function changesOf(draft: Draft, planning: Planning): void {
  const { plan, settings } = planning;
  noteTwice(draft);
  const mark = marksOf(plan);
  const planned: Planned = {
    ...{ title: draft.values.title ?? draft.stored?.title ?? draft.productId ?? '', line: draft.line },
    ...{ lines: draft.lines, verdict: 'unchanged', differences: [], added: [] },
  };
  const areOfVariants = draft.problems.every(({ isOfVariant }) => isOfVariant);
  const mayGoOn =
    draft.problems.length === 0 || (settings.withoutWrong === true && areOfVariants && canDoWithout(draft));
  if (mayGoOn) {
    try {
      if (draft.stored) changeStored(draft, draft.stored, planned, planning);
      else newProduct(draft, planned, planning);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      draft.problems.push({ line: error.line ?? draft.line, error, isOfVariant: false });
      undo(plan, mark);
      leaveOut(draft, planned);
    }
  } else leaveOut(draft, planned);
  plan.products.push(planned);
  plan.problems.push(...draft.problems.map(({ line, error }) => problemOf(line, error)));
}

/** Whether anything is left of a product without the variants whose lines are wrong. */
const canDoWithout = ({ stored, variants, hasOwnLine }: Draft) =>
  stored !== undefined || hasOwnLine || variants.length > 0;

/** All lines of a product that is left out are said to be. */
function leaveOut(draft: Draft, planned: Planned): void {
  planned.verdict = 'leftOut';
  planned.differences = [];
  planned.added = [];
  delete planned.made;
  const wrong = new Set(draft.problems.map(({ line }) => line));
  const [first] = wrong;
  for (const line of draft.lines)
    if (!wrong.has(line))
      draft.problems.push({ line, error: new Unfit('withProduct', String(first)), isOfVariant: false });
}

const marksOf = ({ steps }: Plan) =>
  Object.entries(steps).map(([step, work]) => [step, work.length] as const);

function undo({ steps }: Plan, marks: ReturnType<typeof marksOf>): void {
  for (const [step, length] of marks) steps[step as keyof typeof steps].length = length;
}

/** A variant that two lines are about. */
function noteTwice(draft: Draft): void {
  const seen = new Map<string, number>();
  draft.variants = draft.variants.filter(({ line, stored, option }) => {
    const name = nameKey(stored?.name ?? `${option?.title}: ${option?.value}`);
    const first = seen.get(name);
    if (first === undefined) seen.set(name, line);
    else draft.problems.push({ line, error: new Unfit('twice', String(first)), isOfVariant: true });
    return first === undefined;
  });
}

function changeStored(draft: Draft, stored: StoredProduct, planned: Planned, planning: Planning): void {
  const { plan } = planning;
  const hasVariants = stored.variants.length > 0 || draft.variants.length > 0;
  const note = (line: number, field: Field, before: Shown, after: Shown, variant?: StoredVariant) => {
    const name = [stored.title, variant?.name].filter(Boolean).join(', ');
    planned.differences.push({ line, name, field, before, after });
  };
  changeProduct(draft, stored, hasVariants, planning, note);
  const added: Work[] = [];
  for (const variant of draft.variants) {
    if (variant.stored) changeVariant(variant, variant.stored, stored, plan, note);
    else added.push(newVariant(variant, draft, stored, planned, plan));
  }
  if (added.length > 0) {
    const variants = groupsOf(added.map(({ item }) => item));
    const lines = added.flatMap((work) => work.lines);
    plan.steps.variants.push({ lines, item: { productId: stored.productId, variants } });
  }
  if (planned.differences.length > 0) planned.verdict = 'changed';
}

function changeProduct(
  draft: Draft,
  stored: StoredProduct,
  hasVariants: boolean,
  planning: Planning,
  note: Note,
): void {
  const { plan } = planning;
  const { line, values } = draft;
  const sold = soldChanges(values, { ...stored });
  if (hasVariants && sold.price === null) delete sold.price;
  // What is sold are the variants.
  if (hasVariants) delete sold.saleUntil;
  if (sold.price === null) throw new Unfit('required', undefined, 'price');
  if (values.title === '' || values.title === null) throw new Unfit('required', undefined, 'title');
  const rest = productChanges(values, stored, planning, note, line);
  const { price, salePrice, saleUntil: _, itemAmount, ...codes } = sold;
  const item: Record<string, unknown> = { ...rest.item, ...codes };
  if (hasVariants) Object.assign(item, defined({ price, salePrice, itemAmount }));
  else {
    addSold(plan, line, { productId: stored.id }, sold, values);
    if (itemAmount === null) item.itemAmount = null;
  }
  for (const field of SOLD)
    if (sold[field] !== undefined) note(line, field, stored[field] ?? null, sold[field]);
  const { brand, category } = rest;
  if (Object.keys(item).length > 0 || brand || category)
    plan.steps.products.push({
      lines: [line],
      item: { id: stored.id, ...item },
      ...(brand && { brand }),
      ...(category && { category }),
    });
}

const defined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** A spreadsheet writes other line ends, and an empty text is like none. */
function isSame(one: Shown, other: Shown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return sameText(one, other);
  return JSON.stringify(one) === JSON.stringify(other) || (one === null && other === '');
}

/** What differs of a stored product beside what is sold. */
function productChanges(
  values: ProductValues,
  stored: StoredProduct,
  { references, settings }: Planning,
  note: Note,
  line: number,
) {
  const item: Record<string, unknown> = {};
  const made: { brand?: string; category?: string[] } = {};
  const plainFields = {
    title: values.title,
    isHidden: values.isHidden,
    subCategory: values.subCategory,
    tags: values.tags,
    images: values.images,
    description:
      values.description === undefined ? undefined : describedAs(values.description, stored.description),
  };
  for (const [field, after] of Object.entries(plainFields)) {
    const before = stored[field as 'title'];
    if (after === undefined || isSame(before, after)) continue;
    item[field] = after;
    note(line, field as Field, before, after);
  }
  const brand = changedReference(
    values.brand,
    references.brandOf(stored),
    (name) => references.brand(name),
    stored.brandId,
  );
  requireMade(brand, settings, 'brand');
  if (brand) {
    note(line, 'brand', references.brandOf(stored), values.brand!);
    if ('make' in brand) [made.brand] = brand.make;
    else
      Object.assign(
        item,
        { brandId: brand.id },
        brand.id === null && stored.brand !== null && { brand: null },
      );
  }
  const path = references.categoryOf(stored);
  const wanted = values.category;
  const isThere = wanted && path && [path.at(-1), path.join(' > ')].includes(wanted.text);
  const category =
    wanted === undefined || isThere
      ? undefined
      : changedReference(
          wanted,
          path?.join(' > ') ?? null,
          (one) => references.category(one),
          stored.categoryId,
        );
  requireMade(category, settings, 'category');
  if (category) {
    note(line, 'category', path?.join(' > ') ?? null, wanted?.text ?? null);
    if ('make' in category) made.category = category.make;
    else
      Object.assign(
        item,
        { categoryId: category.id },
        category.id === null && stored.category !== null && { category: null },
      );
  }
  return { item, ...made };
}

/** The brand or category that the product is to have; undefined if it has it. */
function changedReference<Value>(
  value: Value | null | undefined,
  before: string | null,
  find: (value: Value) => Reference,
  storedId: string | null,
): Reference | undefined {
  if (value === undefined || value === before) return undefined;
  if (value === null) return before === null ? undefined : { id: null };
  const found = find(value);
  return 'id' in found && found.id === storedId ? undefined : found;
}
