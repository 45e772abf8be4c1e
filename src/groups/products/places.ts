import { type Sentence, warning } from '../../platform/problems.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { FIND_CLOSED, FIND_NAMED } from '../places.statements.js';

/** What decides where shoppers find a product. */
interface Placed {
  isHidden?: boolean;
  brand?: string | null;
  brandId?: string | null;
  category?: string | null;
  categoryId?: string | null;
}

const KINDS = ['brand', 'category'] as const;

/** The words of a record's name as the database compares them. */
const keyOf = (text: string) => text.trim().toLowerCase();

/**
 * The brands and categories of products: those that their ids link, and those that their texts name. Products
 * can be in a category that shoppers do not see, and a text alone puts them nowhere; callers believe
 * otherwise unless they are told (docs/behaviour.md §5).
 */
export class Places {
  private constructor(
    private readonly records: { kind: string; id: string; name: string }[],
    private readonly closed: { id: string; name: string; closedId: string; closedName: string }[],
  ) {}

  static async of(ctx: StoreContext, products: readonly Placed[]): Promise<Places> {
    const texts = new Set(products.flatMap((product) => KINDS.flatMap((kind) => product[kind] ?? [])));
    const linked = products.flatMap(({ brandId, categoryId }) => [brandId, categoryId]);
    const ids = [...new Set(linked)].filter((id): id is string => typeof id === 'string' && isUuid(id));
    if (texts.size + ids.length === 0) return new Places([], []);
    const [records, closed] = await Promise.all([
      ctx.session.read(FIND_NAMED, { ids, texts: [...texts].map(keyOf) }),
      ids.length === 0 ? [] : ctx.session.read(FIND_CLOSED, { ids }),
    ]);
    return new Places(records, closed);
  }

  /** The warnings of a call that gave a product these values. @param after the product with them */
  warnings(given: Placed, after: Placed): Sentence[] {
    return [
      ...this.unseen(given, after),
      ...KINDS.flatMap((kind) =>
        given[kind] === undefined && given[`${kind}Id`] === undefined ? [] : this.textAlone(kind, after),
      ),
    ];
  }

  private unseen(given: Placed, { isHidden, categoryId }: Placed): Sentence[] {
    const isPlaced = typeof given.categoryId === 'string' || given.isHidden === false;
    if (!isPlaced || isHidden || typeof categoryId !== 'string') return [];
    const found = this.closed.find(({ id }) => id === categoryId.toLowerCase());
    if (!found) return [];
    const { id, name, closedId, closedName } = found;
    const below = id === closedId ? undefined : closedName;
    const which = below === undefined ? 'is not active' : `is below "${below}", which is not active`;
    return [
      warning(
        `categoryId: category "${name}" ${which}: shoppers do not see this product until update_category ` +
          `makes ${closedId} active`,
        'unseen',
        { category: name, below },
      ),
    ];
  }

  private textAlone(kind: (typeof KINDS)[number], product: Placed): Sentence[] {
    const [text, linkedId] = [product[kind], product[`${kind}Id`]?.toLowerCase()];
    if (typeof text !== 'string') return [];
    const ofKind = this.records.filter((record) => record.kind === kind);
    const named = ofKind.filter(({ name }) => keyOf(name) === keyOf(text));
    if (named.length === 0 || named.some(({ id }) => id === linkedId)) return [];
    const linked = ofKind.find(({ id }) => id === linkedId);
    return [
      linked
        ? warning(
            `${kind} still says "${text}": shoppers see "${linked.name}", which ${kind}Id links`,
            'still_says',
            { text, shown: linked.name },
          )
        : warning(
            `${kind} "${text}" is a text alone: give ${kind}Id ${named[0].id} to put the product into the ` +
              `${kind} of that name`,
            'text_alone',
            { text },
          ),
    ];
  }
}

interface WithReason {
  notOnSaleBecause: string | null;
}

/** The product with whether it is on sale; the reason is left out if it is. */
export const withOnSale = <Row extends WithReason>({ notOnSaleBecause, ...row }: Row) => ({
  ...row,
  onSale: notOnSaleBecause === null,
  ...(notOnSaleBecause !== null && { notOnSaleBecause }),
});
