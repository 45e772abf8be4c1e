import type { ValuesOf, Warning } from '../../../../src/platform/problems';
import { plurals } from '../plural';
import type { Money } from '../problems-on-pages';

const n = plurals('en');

interface Says extends Money {
  /** The name of a field as forms have it. */
  label: (field: string) => string;
}

/** What the service warns of, for a shop owner. */
export type WarningWords = { [Name in Warning]: (values: ValuesOf<Name>, says: Says) => string };

export const noToken = (name: string) => `${name} has no token, so no order can be paid through it.`;

export const warnings: WarningWords = {
  more: ({ count }) => `and ${count} more`,
  cleared: ({ fields }, { label }) => `Emptied: ${fields.map(label).join(', ')}.`,
  blank: ({ field }, { label }) => `${label(field)} has nothing in it but blanks.`,
  finer: ({ field, counted }, { label, major }) =>
    `${label(field)}: the amount is finer than the currency; ${major(counted)} counts.`,

  // The catalog.
  sale_not_below: ({ sale, price }, { major }) =>
    `The sale price ${major(sale)} is not below the price ${major(price)}: shoppers pay ${major(sale)}.`,
  price_jump: ({ before, after }, { major }) =>
    `Shoppers paid ${major(before)} and will now pay ${major(after)}. Is that meant?`,
  free: () => 'Shoppers get this for free. Is that meant?',
  options: ({ count }) => `Shoppers choose one value of all ${count} options together.`,
  no_effect: ({ fields }, { label }) =>
    `Shoppers buy the variants, so this changes nothing for them: ${fields.map(label).join(', ')}.`,
  unseen: ({ category, below }) =>
    below === undefined
      ? `Shoppers do not see this: the category ${category} is not active.`
      : `Shoppers do not see this: ${category} is below ${below}, which is not active.`,
  text_alone: ({ text }) => `“${text}” is a text alone. Choose it in the list to put the product there.`,
  still_says: ({ text, shown }) => `A text still says “${text}”; shoppers see “${shown}”.`,
  off_sale: ({ count }) =>
    `Shoppers will not see ${n(count, { one: '# product', other: '# products' })} any more.`,
  on_sale: ({ count }) => `Shoppers will see ${n(count, { one: '# product', other: '# products' })} again.`,

  // Orders and customers.
  blank_note: () => 'The note says nothing.',
  refund_above: ({ total }, { minor }) => `The amount is above the total of the order, ${minor(total)}.`,
  refund_below: ({ total }, { minor }) =>
    `This is less than the total, ${minor(total)}, but the whole order is cancelled. Set its status again to ` +
    'keep the rest.',
  refunded_before: () => 'The order has been refunded before.',
  large_credit: ({ delta, spent }, { major }) =>
    `${major(delta)} is more than ten times what the customer has ever spent, ${major(spent)}. Is that meant?`,
  settled: ({ settled, owed }, { major }) =>
    `${major(settled)} of it settled what the customer owed; ${major(owed)} is still owed.`,

  // Marketing.
  expired: () => 'The code has expired: nobody can use it.',
  endless: () =>
    'The code takes 100% off, without an end or a limit of uses: anybody may use it again and again.',
  contest_over: () => 'The contest is over already.',
  markup: ({ markup }) => `Shoppers will see ${markup} as it stands here.`,
  no_button: () => 'A button needs a text and an address. This message goes out without one.',
  no_trigger: () => 'Nothing earns cashback until you choose the status that gives it.',
  no_level: ({ place }) =>
    `Level ${place}: the fewest orders are above the most, so nobody is on this level.`,
  no_promotion: ({ place }) => `Promotion ${place} ends before it begins, so it is never in force.`,
  no_category: ({ key }) => `No category is called “${key}”: this rate earns nothing.`,
  uncapped: ({ rate }) => `${rate}% of an order is given back, without a limit. Is that meant?`,
  above_average: ({ field, amount, average }, { label, major }) =>
    `${label(field)}: ${major(amount)} is more than the average order of the last 90 days, ` +
    `${major(average)}. Is that meant?`,

  // The form of the checkout, and paying.
  removed: ({ ids }) => `Removed: ${ids}.`,
  same_id: ({ place }) => `Field ${place} has the id of another field; the first one counts.`,
  no_field: ({ place }) =>
    `Field ${place} has a condition on a field that is not there; that one counts as empty.`,
  never_holds: ({ place }) =>
    `Field ${place} has a condition that can never hold: the field it looks at takes no such answer.`,
  contradiction: ({ place }) =>
    `Field ${place} has a condition whose sign contradicts what it does; what it does decides.`,
  no_adjustment: ({ place }) =>
    `Field ${place} has a condition that changes the price by no amount, so it does nothing.`,
  negative: ({ place, counted }, { major }) =>
    `Field ${place} has a condition with a negative amount; what it does decides, and ${major(counted)} counts.`,
  finer_change: ({ place, counted }, { major }) =>
    `Field ${place} has a condition with an amount that is finer than the currency; ${major(counted)} counts.`,
  above_tip: ({ amount }, { minor }) => `${minor(amount)} is above the largest tip, so it is not offered.`,
  unpayable: ({ currency }) => `No active payment provider takes ${currency}, so no order can be paid.`,
  lacks_currency: ({ name, currency }) =>
    `${name} does not take ${currency}, so no order of this store can be paid through it.`,
  no_currencies: ({ codes }) => `${codes}: not a currency.`,
  no_token: ({ name }) => noToken(name),
  namesake: ({ name }) => `Another live provider is called ${name}: the newer one is paid.`,
};
