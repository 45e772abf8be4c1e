import { number } from '../../parts/values/format';
import { words } from '../../words/all';

const sum = (amount: string) => number(Number(amount), { maximumFractionDigits: 3 });

/** A line of an order: `5 % of 29 for tee-stripes (level Regular) = 1.4`. */
const LINE = /(\d+(?:\.\d+)?) % of (\d+(?:\.\d+)?) for (\S+) \((\w+) ?(.*?)\) = (\d+(?:\.\d+)?)(?=[;,.])/g;

/** What an explanation may say beside the kind of the entry, its order, amount and balance. */
const PARTS = (): [RegExp, (match: string[]) => string][] => {
  const { explained } = words.customers;
  const rules = explained.rules as Record<string, string>;
  return [
    [
      LINE,
      ([, percent, paid, product, rule, label, share]) =>
        explained.line(
          sum(percent),
          sum(paid),
          product,
          rules[rule] ? `${rules[rule]} ${label}` : explained.noRate,
          sum(share),
        ),
    ],
    [/(\d+) more lines/g, ([, count]) => explained.more(Number(count))],
    [/together (\d+(?:\.\d+)?)/g, ([, all]) => explained.together(sum(all))],
    [/limit of the order (\d+(?:\.\d+)?)/g, ([, limit]) => explained.ofOrder(sum(limit))],
    [
      /limit of promotion (.*?) (\d+(?:\.\d+)?)(?=[,.])/g,
      ([, name, limit]) => explained.ofPromotion(name, sum(limit)),
    ],
    [/credited (\d+(?:\.\d+)?)(?=\.)/g, ([, amount]) => explained.credited(sum(amount))],
    [
      /(\d+(?:\.\d+)?) earned, of which the balance held (\d+(?:\.\d+)?)/g,
      ([, earned, held]) => explained.held(sum(earned), sum(held)),
    ],
    [/came by the link of customer (\d+)/g, ([, id]) => explained.cameBy(id)],
    [/ of customer (\d+) was paid/g, ([, id]) => explained.orderOf(id)],
    [/once for each referred customer/g, () => explained.once],
    [/Debt: of (\d+(?:\.\d+)?) /g, ([, moved]) => explained.taken(sum(moved))],
    [/out of the (\d+(?:\.\d+)?) just credited/g, ([, moved]) => explained.settled(sum(moved))],
    [/Owed now: (\d+(?:\.\d+)?)/g, ([, owed]) => explained.owed(sum(owed))],
  ];
};

/** The arithmetic of an entry in the reader's language; empty if the rest of its row says all. */
export function explained(explanation: string): string {
  return PARTS()
    .flatMap(([pattern, say]) => [...explanation.matchAll(pattern)].map(say))
    .join('; ');
}
