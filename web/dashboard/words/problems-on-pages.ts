import type { ValuesOf } from '../../../src/platform/problems';
import type { general } from './en/general';
import type { opened } from './en/opened';
import type { sell } from './en/sell';

// The problems that pages find by themselves too, or tell of before: their words are those of the pages.

export interface Money {
  minor: (amount: number) => string;
  major: (amount: number) => string;
}

/** How many minutes there are until a time. */
export const minutesTo = (time: string) => Math.ceil((Date.parse(time) - Date.now()) / 60_000);

type Words = Pick<typeof general, 'common' | 'refusals'> &
  Pick<typeof opened, 'hints' | 'viewForms'> &
  Pick<typeof sell, 'newOrder'>;
type Between = (min: number, max: number) => string;

/** What is wrong with a value in a form. */
export const inForms = ({ hints, refusals }: Pick<Words, 'hints' | 'refusals'>, between: Between) => {
  const inBounds = ({ min, max, above }: ValuesOf<'number'>) =>
    min !== undefined && max !== undefined
      ? between(min, max)
      : [
          above !== undefined && refusals.above(String(above)),
          min !== undefined && refusals.atLeast(String(min)),
          max !== undefined && refusals.atMost(String(max)),
        ]
          .filter(Boolean)
          .join(' ');
  return {
    required: () => refusals.required,
    used: () => refusals.used,
    slug: () => hints.slug,
    url: () => refusals.url,
    too_long: ({ max }: ValuesOf<'too_long'>) => refusals.tooLong(max),
    too_short: ({ min }: ValuesOf<'too_short'>) => refusals.tooShort(min),
    length: ({ min, max }: ValuesOf<'length'>) => refusals.length(min, max),
    integer: (bounds: ValuesOf<'integer'>) => `${refusals.whole} ${inBounds(bounds)}`.trim(),
    number: (bounds: ValuesOf<'number'>) => inBounds(bounds) || refusals.number,
    decimals: ({ decimals }: ValuesOf<'decimals'>) => refusals.unreadable(decimals),
    amount_most: ({ most }: ValuesOf<'amount_most'>, { major }: Money) =>
      refusals.atMost(major(Number(most))),
  };
};

export const onPages = ({ common, refusals, newOrder, viewForms }: Words) => ({
  key_used: () => refusals.madeBefore,
  not_undone: () => common.notUndone,
  views_most: ({ most }: ValuesOf<'views_most'>) => viewForms.tooMany(most),
  view_not_yours: () => viewForms.notYours,
  price_changed: ({ total }: ValuesOf<'price_changed'>, { minor }: Money) =>
    newOrder.priceChanged(minor(total)),
  no_such_customer: () => newOrder.nobody,
  chat_not_linked: () => newOrder.forMeHint,
  banned: () => newOrder.banned,
});
