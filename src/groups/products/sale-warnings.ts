import { Big } from 'big.js';
import { type Sentence, warning } from '../../platform/problems.js';
import type { CreateProductInput } from './products.dto.js';

/** Prices as the database or a call gives them. A field that is not given is undefined. */
interface Prices {
  price?: string | number | null;
  salePrice?: string | number | null;
}

/** A change by this factor or more is more often a mistake of units than meant. */
const FACTOR = 10;
/** The most variants that one sentence names. */
export const NAMED_VARIANTS = 20;

/** A variant as sentences name it. */
export interface NamedVariant {
  id: string;
  name: string;
}

/**
 * What makes no sense in the prices that a call leaves behind (docs/behaviour.md §5). What counts is what
 * shoppers are charged: the sale price if there is one.
 * @param before the prices until now, or none if the record is new
 * @param variant its name, if others may be meant
 * @param path the prefix of the names of the fields
 */
export function priceWarnings(
  after: Prices,
  before: Prices = {},
  variant?: string,
  path = variant === undefined ? '' : `${variant}: `,
): Sentence[] {
  const { price, salePrice } = after;
  const charged = chargedOf(after);
  if (!isAmount(charged)) return [];
  const name = `${path}${isAmount(salePrice) ? 'salePrice' : 'price'}`;
  if (new Big(charged).eq(0)) return [warning(`${name} is 0: shoppers get it free`, 'free', { variant })];
  const isNotLower = isAmount(price) && isAmount(salePrice) && new Big(salePrice).gte(price);
  return [
    ...(isNotLower
      ? [
          warning(
            `${name} ${salePrice} is not below price ${price}: shoppers are charged ${salePrice}`,
            'sale_not_below',
            { variant, sale: Number(salePrice), price: Number(price) },
          ),
        ]
      : []),
    ...jump(name, chargedOf(before), charged, variant),
  ];
}

/** What shoppers are charged. */
const chargedOf = ({ price, salePrice }: Prices) => salePrice ?? price;

/** The warnings of a new product's prices and of those of its variants. */
export function newPriceWarnings({ variants = [], ...product }: Partial<CreateProductInput>): Sentence[] {
  const ofVariants = variants.flatMap(({ values }, i) =>
    values.flatMap((value, j) => priceWarnings(value, {}, undefined, `variants[${i}].values[${j}].`)),
  );
  return [...priceWarnings(product), ...ofVariants];
}

/** Warns that a product's own values have no effect, because its variants are what shoppers buy. */
export function ownValuesWarning(names: string[], variants: NamedVariant[]): Sentence[] {
  if (names.length === 0 || variants.length === 0) return [];
  const verb = names.length === 1 ? 'has' : 'have';
  return [
    warning(
      `${names.join(', ')} ${verb} no effect on orders: shoppers buy its variants ${named(variants)}`,
      'no_effect',
      { fields: names },
    ),
  ];
}

/** Warns of a second option, because an order line names one value of all options. */
export const optionsWarning = (before: number, count: number): Sentence[] =>
  count > Math.max(before, 1)
    ? [warning(`the product has ${count} options: shoppers choose one value of all`, 'options', { count })]
    : [];

/** The variants with their ids, the first ones if there are many. */
export function named(variants: readonly NamedVariant[]): string {
  const shown = variants.slice(0, NAMED_VARIANTS).map(({ id, name }) => `${id} (${name})`);
  return [...shown, ...(variants.length > NAMED_VARIANTS ? ['and others'] : [])].join(', ');
}

const isAmount = (value: Prices['price']): value is string | number => value !== undefined && value !== null;

function jump(
  name: string,
  before: Prices['price'],
  after: Prices['price'],
  variant: string | undefined,
): Sentence[] {
  if (!isAmount(before) || !isAmount(after) || new Big(before).eq(0)) return [];
  const isJump =
    new Big(after).gte(new Big(before).times(FACTOR)) || new Big(after).times(FACTOR).lte(before);
  if (!isJump) return [];
  const [was, is] = [Number(before), Number(after)];
  return [
    warning(
      `${name}: shoppers were charged ${was} and are now charged ${is}; prices are in major units`,
      'price_jump',
      { variant, before: was, after: is },
    ),
  ];
}
