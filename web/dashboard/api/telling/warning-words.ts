import { words } from '../../words/all';
import { major, minor } from '../amounts';
import { fieldLabel } from './in-words';
import { type Sentence, translate } from './sentences';

/** Lists begin with 0 for the service, and with 1 for people. */
const ordinal = (index: string) => Number(index) + 1;

/** The name of an amount of monetization as its form has it. */
function namedReward(field: string): string {
  const { joinBonus: referralJoinBonus, referrerBonus: referrerOrderBonus, cap } = words.monetization;
  return { referralJoinBonus, referrerOrderBonus, maxCashbackPerOrder: cap }[field] ?? field;
}
const allNamed = (fields: string) => fields.split(', ').map(fieldLabel).join(', ');

/** A warning about a variant names it, or a new one by its place in the call, which says nothing here. */
const atVariant = (text: string) =>
  new RegExp(`^(?:variants\\[\\d+\\]\\.values\\[\\d+\\]\\.|(.+: ))?${text}`);

const WARNINGS: Sentence[] = [
  [
    atVariant('salePrice (\\S+) is not below price (\\S+):'),
    ([, of = '', sale, price]) => of + words.warnings.saleNotBelow(major(sale), major(price)),
  ],
  [
    atVariant('(?:price|salePrice): shoppers were charged (\\S+) and are now charged (\\S+);'),
    ([, of = '', before, after]) => of + words.warnings.jump(major(before), major(after)),
  ],
  [atVariant('(?:price|salePrice) is 0: shoppers'), ([, of = '']) => of + words.warnings.free],
  [/^the product has (\d+) options: shoppers/, ([, count]) => words.warnings.options(Number(count))],
  [
    /^categoryId: category "(.+)" is (?:not active|below "(.+)", which is not active): shoppers/,
    ([, category, above]) => words.warnings.unseen(category, above),
  ],
  [/^products that go off sale by this: (\d+)/, ([, count]) => words.warnings.offSale(Number(count))],
  [/^products that come back on sale by this: (\d+)/, ([, count]) => words.warnings.onSale(Number(count))],
  [/^(?:brand|category) "(.+)" is a text alone:/, ([, text]) => words.warnings.textAlone(text)],
  [
    /still says "(.+)":(?: \d+;)? shoppers see "(.+?)",/,
    ([, text, shown]) => words.warnings.stillSays(text, shown),
  ],
  [/^fields\[(\d+)\].* can never hold:/, ([, i]) => words.said.warnings.neverHolds(ordinal(i))],
  [
    /cashbackPercentage is (\S+), and no maxCashback/,
    ([, rate]) => words.said.warnings.uncapped(Number(rate)),
  ],
  [
    /^referral\.(\w+) (\S+) is above (\S+), the average/,
    ([, field, amount, average]) =>
      words.said.warnings.aboveAverage(namedReward(field), major(amount), major(average)),
  ],
  [
    /^amount is less than the order's total, (\d+):/,
    ([, total]) => words.said.warnings.refundBelow(minor(total)),
  ],
  [/^note has blanks alone/, () => words.said.warnings.blankNote],
  [/^\S+ has (.+), which the messenger/, ([, markup]) => words.said.warnings.markup(markup)],
  [/^endDate has passed: the contest/, () => words.said.warnings.contestOver],
  [/^(.+) ha(?:s|ve) no effect on orders:/, ([, fields]) => words.warnings.noEffect(allNamed(fields))],
  [
    /^null has cleared (.+): undo_change puts them back$/,
    ([, fields]) => words.warnings.cleared(allNamed(fields)),
  ],
  [/^\S+ without \S+: the message has no button/, () => words.warnings.noButton],
  [
    /^delta (\S+) is above ten times the (\S+) that/,
    ([, delta, spent]) => words.said.warnings.largeCredit(major(delta), major(spent)),
  ],
  [
    /^(\S+) of delta settled what the customer owed; (\S+) is/,
    ([, settled, owed]) => words.said.warnings.settled(major(settled), major(owed)),
  ],
  [/cashbackTriggerStatus is missing/, () => words.said.warnings.noTrigger],
  [/levels\[(\d+)\]\.minOrders is above maxOrders/, ([, i]) => words.said.warnings.noLevel(ordinal(i))],
  [/promotions\[(\d+)\]\.endsAt is before startsAt/, ([, i]) => words.said.warnings.noPromotion(ordinal(i))],
  [/ no longer has (.+): the list replaces all$/, ([, ids]) => words.said.warnings.removed(ids)],
  [/^fields\[(\d+)\]\.id is the id of another/, ([, i]) => words.said.warnings.sameId(ordinal(i))],
  [/^fields\[(\d+)\].*dependsOn names no field/, ([, i]) => words.said.warnings.noField(ordinal(i))],
  [/^fields\[(\d+)\].*operator contradicts/, ([, i]) => words.said.warnings.contradiction(ordinal(i))],
  [/^fields\[(\d+)\].*priceAdjustment is missing/, ([, i]) => words.said.warnings.noAdjustment(ordinal(i))],
  [
    /^fields\[(\d+)\].*value is below 0: .* (\S+) counts$/,
    ([, i, counted]) => words.said.warnings.negative(ordinal(i), major(counted)),
  ],
  [
    /^fields\[(\d+)\].* has more decimals than .* as (\S+)$/,
    ([, i, counted]) => words.said.warnings.finerChange(ordinal(i), major(counted)),
  ],
  [
    /(\w+) has more decimals than .* as (\S+)$/,
    ([, field, counted]) => words.said.warnings.finer(namedReward(field), major(counted)),
  ],
  [/^suggestedTipAmounts holds (\d+)/, ([, amount]) => words.said.warnings.tip(minor(amount))],
  [/^expiresAt has passed/, () => words.said.warnings.expired],
  [/^the code takes 100 % off/, () => words.said.warnings.endless],
  [/^amount is above the order's total, (\d+)/, ([, total]) => words.said.warnings.refundAbove(minor(total))],
  [/^orderId names an order that has been refunded/, () => words.said.warnings.refundedBefore],
  [
    /^mode native_payments: no active provider takes (\S+),/,
    ([, currency]) => words.said.warnings.unpayable(currency),
  ],
  [
    /^supportedCurrencies lack (\S+): .* through (.+)$/,
    ([, currency, name]) => words.said.warnings.lacksCurrency(name, currency),
  ],
  [/^supportedCurrencies hold (.+): neither/, ([, codes]) => words.said.warnings.noCurrencies(codes)],
  [/^providerToken is empty: .* through (.+)$/, ([, name]) => words.said.noToken(name)],
  [/^providerName (.+) is that of another live/, ([, name]) => words.said.warnings.namesake(name)],
  [/^cashback.categoryRates: "(.+)" is no category's/, ([, key]) => words.said.warnings.noCategory(key)],
  [/^(\w+) holds blanks alone$/, ([, field]) => words.said.warnings.blank(fieldLabel(field))],
  [/^and (\d+) more$/, ([, count]) => words.common.andMore(Number(count))],
];

/** What the service warns of, for a shop owner. Where we have no better words, its own are kept. */
export const warningInWords = (text: string): string => translate(WARNINGS, text) ?? text;
