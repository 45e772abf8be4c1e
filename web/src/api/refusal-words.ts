import { words } from '../words';

/** A sentence of the service, and how a shop owner is told. */
export type Sentence = [RegExp, (match: string[]) => string];

interface Money {
  minor: (amount: number) => string;
  major: (amount: number) => string;
}

/** How the open store's amounts are written. The router sets it with the store. */
let money: Money = { minor: String, major: String };
export const setCurrency = (ofStore: Money) => void (money = ofStore);

const minor = (amount: string) => money.minor(Number(amount));
const major = (amount: string) => money.major(Number(amount));
/** Lists begin with 0 for the service, and with 1 for people. */
const ordinal = (index: string) => Number(index) + 1;

/** The name of a field as the forms of products have it. */
export function fieldLabel(field: string): string {
  const { price, salePrice, stock: itemAmount, brand: brandId, category: categoryId } = words.products;
  return { price, salePrice, itemAmount, brandId, categoryId }[field] ?? words.fields[field] ?? field;
}

/** The name of an amount of monetization as its form has it. */
function namedReward(field: string): string {
  const { joinBonus: referralJoinBonus, referrerBonus: referrerOrderBonus, cap } = words.monetization;
  return { referralJoinBonus, referrerOrderBonus, maxCashbackPerOrder: cap }[field] ?? field;
}
const allNamed = (fields: string) => fields.split(', ').map(fieldLabel).join(', ');

/** A warning about a variant names it, or a new one by its place in the call, which says nothing here. */
const atVariant = (text: string) =>
  new RegExp(`^(?:variants\\[\\d+\\]\\.values\\[\\d+\\]\\.|(.+: ))?${text}`);

export const WARNINGS: Sentence[] = [
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
  [/^null has cleared (.+)$/, ([, fields]) => words.warnings.cleared(allNamed(fields))],
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

/** Refusals that are understood without a field next to them. */
export const SENTENCES: Sentence[] = [
  [/^It cannot be undone any more/, () => words.common.notUndone],
  [/^page has (\d+) views/, ([, most]) => words.views.tooMany(Number(most))],
  [/Only who saved a view/, () => words.views.notYours],
  [/startDate must be before|must be before endDate|must be after from/, () => words.said.startFirst],
  [
    /must be at most (\d+) (\w+) after from/,
    ([, most, unit]) => words.said.periodMost(Number(most), words.said.units[unit] ?? unit),
  ],
  [/must be neither the category itself/, () => words.said.ownParent],
  [/(?:is already|repeats) a value of the option/, () => words.said.sameVariant],
  [/a product has at most (\d+) options/, ([, most]) => words.said.mostOptions(Number(most))],
  [/an option has at most (\d+) values/, ([, most]) => words.said.mostValues(Number(most))],
  [/a product has at most (\d+) variants/, ([, most]) => words.said.mostVariants(Number(most))],
  [/would (?:make the stock|become) (\S+), from /, ([, stock]) => words.said.stock(stock)],
  [
    /must be that of a variant|is required, because shoppers buy|must name a variant of/,
    () => words.said.whichVariant,
  ],
  [/which line of product|fits several/, () => words.said.whichVariant],
  [/is that of several/, () => words.said.several],
  [
    /must not take the balance, which is ([^ ,]+).*, below 0/,
    ([, balance]) => words.said.balanceBelow(major(balance)),
  ],
  [/must not take the balance,.* above (\S+)$/, ([, most]) => words.said.balanceAbove(major(most))],
  [/is masked and does not stand for/, () => words.said.masked],
  [/conditions in all; these have (\S+)/, ([, count]) => words.said.mostConditions(count)],
  [/a store has at most (\d+) payment providers/, ([, most]) => words.said.mostProviders(Number(most))],
  [/payment_button checkout field manages/, () => words.said.ofForm],
  [
    /can be changed while an order is PENDING or PROCESSING(?:; this one is (\w+))?/,
    ([, status]) => words.said.orderTooLate(words.status[status as 'SHIPPED'] ?? status ?? ''),
  ],
  [
    /^items cannot be changed until (\S+):/,
    ([, until]) => words.said.orderBeingPaid(Math.ceil((Date.parse(until) - Date.now()) / 60_000)),
  ],
  [/must come to at least the (\S+) that bonus/, ([, amount]) => words.said.belowBonus(major(amount))],
  [/come to more than an order can hold/, () => words.said.orderTooLarge],
  [/^paymentMethod (.+) cannot be paid: it has no token/, ([, name]) => words.said.noToken(name)],
  [/^paymentMethod (.+) cannot be paid/, ([, name]) => words.said.wrongCurrency(name)],
  [/^customerId names no customer|^customerId, or asMyself/, () => words.newOrder.nobody],
  [/^asMyself: link/, () => words.newOrder.forMeHint],
  [/^expectedTotal is not .* is (\d+)$/, ([, total]) => words.newOrder.priceChanged(minor(total))],
  [/^This shopper is banned/, () => words.newOrder.banned],
  [
    /is that of a \w+ with (\S+) products, and at most (\S+) can lose it/,
    ([, count, most]) => words.said.tooManyProducts(count, most),
  ],
  [/names a provider without invoices/, () => words.said.noInvoices],
  [/names a customer who has a message already/, () => words.said.twice],
  [/^enabled must not be given: the \S+ message has no switch/, () => words.said.noSwitch],
  [/is not a product on sale/, () => words.said.notOnSale],
  [/was sold while its stock was not tracked/, () => words.said.soldUncounted],
  [/is more than the (\S+) in stock/, ([, count]) => words.said.inStock(count)],
  [/at most (\S+): the product is no longer in the catalog/, ([, most]) => words.said.notInCatalog(most)],
  [/Only the author of a note/, () => words.said.notYourNote],
  [/a note that is older than/, () => words.said.oldNote],
  [/is that of an item before it|is the same category as/, () => words.said.twice],
  [/needs a connected store bot|connect a bot first/, () => words.said.noBot],
  [/another bot was connected meanwhile/, () => words.said.meanwhile],
  [
    /audience has (\S+) recipients, and one call sends to at most (\S+):/,
    ([, count, most]) => words.said.mostRecipients(count, most),
  ],
  [/a campaign that another (?:call )?/, () => words.said.beingSent],
  [/is that of a bot that another store/, () => words.said.botElsewhere],
  [/was refused by the messenger/, () => words.said.tokenRefused],
  [
    /could not be connected, nothing was changed.*\((?:the messenger answered \d+: )?(.+)\)$/s,
    ([, why]) => words.said.messenger(why),
  ],
  [/must be in the future/, () => words.said.future],
  [/already has (\S+) live tokens/, ([, most]) => words.said.mostTokens(most)],
  [/currentPassword or code is required/, () => words.said.prove],
  [/is not the password of this account/, () => words.said.wrongPassword],
  [/is wrong, or was used before/, () => words.said.wrongCode],
  [/is not the code that the app shows now/, () => words.said.wrongCode],
  [/e-mail address or the password is wrong/, () => words.said.wrongSignIn],
  [
    /second factor (?:is|to)|secret that has been replaced|has changed this moment|ids must name all/,
    () => words.said.meanwhile,
  ],
  [/is too easy to guess/, () => words.said.easyPassword],
  [/a member of this store already/, () => words.said.memberAlready],
  [/has been invited this moment/, () => words.said.invitedAlready],
  [/has (\S+) open invitations/, ([, most]) => words.said.mostInvitations(most)],
  [/is not a link of this service/, () => words.said.badLink],
  [/^(?:invitation|link) has (?:been|expired)/, () => words.said.usedLink],
  [/you are signed in as (\S+);/, ([, email]) => words.said.signedInAs(email)],
  [/is the only owner of the store/, () => words.said.onlyOwner],
  [/is your own: you are an owner/, () => words.said.ownAlready],
  [/only another owner may keep/, () => words.said.keptByAnother],
  [/must name at least one group/, () => words.said.oneGroup],
  [/must be a PNG, JPEG, WebP or GIF picture/, () => words.said.pictureKind],
  [/^The (?:file|body) must not be larger than (.+)$/, ([, most]) => words.said.fileSize(most)],
  [/^The pictures of this store take (\S+) MiB/, ([, size]) => words.said.picturesFull(size)],
  [/must be an IANA time zone/, () => words.said.timeZone],
  [/This browser is not known any more/, () => words.said.signInAnew],
  [/^This store is suspended: (.+)$/s, ([, reason]) => words.said.suspended(reason)],
  [/The store's plan does not include/, () => words.said.notInPlan],
  [/names a delivery whose order was deleted/, () => words.said.cannotResend],
];

/** What is wrong with a field, to be said next to it. */
export const RULES: Sentence[] = [
  [/is already used/, () => words.refusals.used],
  [/is required/, () => words.refusals.required],
  [/of lowercase letters, digits and hyphens/, () => words.hints.slug],
  [/the form name@host|must be an e-mail address/, () => words.said.email],
  [/digits, a colon, then/, () => words.said.botToken],
  [/must point to a public host|address that is not public/, () => words.said.publicHost],
  [/must (?:use|have a) port/, () => words.said.port],
  [/must not contain a user name or password/, () => words.said.noPassword],
  [
    /an array of at most (\d+) (?:non-empty )?strings of at most (\d+) characters/,
    ([, most, characters]) => words.said.listOf(Number(most), Number(characters)),
  ],
  // This rule comes before the one about lengths, because its text names a length too, which is rarely the
  // problem.
  [/must be an https address/, () => words.said.https],
  [/only opens app has one/, () => words.said.noAddress],
  [/URL|must start with https?:|must not contain spaces/, () => words.refusals.url],
  [/an array of (\d+) to (\d+)/, ([, min, max]) => words.said.between(min, max)],
  [/an array of at most (\d+)/, ([, most]) => words.said.listMost(Number(most))],
  [/(?:of )?(\d+) to (\d+) characters/, ([, min, max]) => words.refusals.length(Number(min), Number(max))],
  [/at most (\d+) characters/, ([, max]) => words.refusals.tooLong(Number(max))],
  [/at least (\d+) characters/, ([, min]) => words.refusals.tooShort(Number(min))],
  [
    /an integer from (\S+) to (\S+)/,
    ([, min, max]) => `${words.refusals.whole} ${words.said.between(min, max)}`,
  ],
  [/a number from (\S+) to (\S+)/, ([, min, max]) => words.said.between(min, max)],
  [/integer of at least (-?[\d.]+)/, ([, min]) => `${words.refusals.whole} ${words.refusals.atLeast(min)}`],
  [/integer of at most (-?[\d.]+)/, ([, max]) => `${words.refusals.whole} ${words.refusals.atMost(max)}`],
  [
    /greater than (-?[\d.]+) and at most (-?[\d.]+)/,
    ([, min, max]) => `${words.refusals.above(min)} ${words.refusals.atMost(max)}`,
  ],
  [/must be an integer/, () => words.refusals.whole],
  [/number of at least (-?[\d.]+)/, ([, min]) => words.refusals.atLeast(min)],
  [/number of at most (-?[\d.]+)/, ([, max]) => words.refusals.atMost(max)],
  [/greater than (-?[\d.]+)/, ([, min]) => words.refusals.above(min)],
  [/must be a number/, () => words.refusals.number],
  [/has more decimals than \S+ has \((\d+)\)/, ([, decimals]) => words.refusals.unreadable(Number(decimals))],
  [/must have at most (\d+) decimals/, ([, decimals]) => words.refusals.unreadable(Number(decimals))],
  [/must be at most (\S+) bytes/, () => words.said.tooMuch],
  [/must be at most ([\d.]+) [A-Z]{3}/, ([, most]) => words.refusals.atMost(major(most))],
  [/must be one of/, () => words.said.choose],
  [/must be a (?:date-time|real day)/, () => words.said.date],
  [/NUL characters|well-formed Unicode/, () => words.said.characters],
  [/is not an? [\w -]+ of (?:this store|product)/, () => words.said.gone],
  [/was not found in this store/, () => words.said.notFound],
];
