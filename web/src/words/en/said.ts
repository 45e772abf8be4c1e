import { plurals } from '../plural';

const n = plurals('en');

/** What the service says in its own sentences (api/refusal-words.ts), for a shop owner. */
export const said = {
  warnings: {
    largeCredit: (delta: string, spent: string) =>
      `${delta} is more than ten times what the customer has ever spent, ${spent}. Is that meant?`,
    settled: (settled: string, owed: string) =>
      `${settled} of it settled what the customer owed; ${owed} is still owed.`,
    blank: (field: string) => `${field} has nothing in it but blanks.`,
    noCategory: (key: string) => `No category is called “${key}”: this rate earns nothing.`,
    unpayable: (currency: string) => `No active payment provider takes ${currency}, so no order can be paid.`,
    lacksCurrency: (name: string, currency: string) =>
      `${name} does not take ${currency}, so no order of this store can be paid through it.`,
    noCurrencies: (codes: string) => `${codes}: not a currency.`,
    namesake: (name: string) => `Another live provider is called ${name}: the newer one is paid.`,
    noTrigger: 'Nothing earns cashback until you choose the status that gives it.',
    noLevel: (level: number) =>
      `Level ${level}: the fewest orders are above the most, so nobody is on this level.`,
    noPromotion: (promotion: number) =>
      `Promotion ${promotion} ends before it begins, so it is never in force.`,
    removed: (ids: string) => `Removed: ${ids}.`,
    sameId: (field: number) => `Field ${field} has the id of another field; the first one counts.`,
    noField: (field: number) =>
      `Field ${field} has a condition on a field that is not there; that one counts as empty.`,
    contradiction: (field: number) =>
      `Field ${field} has a condition whose sign contradicts what it does; what it does decides.`,
    noAdjustment: (field: number) =>
      `Field ${field} has a condition that changes the price by no amount, so it does nothing.`,
    negative: (field: number, counted: string) =>
      `Field ${field} has a condition with a negative amount; what it does decides, and ${counted} counts.`,
    finerChange: (field: number, counted: string) =>
      `Field ${field} has a condition with an amount that is finer than the currency; ${counted} counts.`,
    finer: (field: string, counted: string) =>
      `${field}: the amount is finer than the currency; ${counted} counts.`,
    tip: (amount: string) => `${amount} is above the largest tip, so it is not offered.`,
    neverHolds: (field: number) =>
      `Field ${field} has a condition that can never hold: the field it looks at takes no such answer.`,
    uncapped: (rate: number) => `${rate}% of an order is given back, without a limit. Is that meant?`,
    aboveAverage: (field: string, amount: string, average: string) =>
      `${field}: ${amount} is more than the average order of the last 90 days, ${average}. Is that meant?`,
    refundBelow: (total: string) =>
      `This is less than the total, ${total}, but the whole order is cancelled. Set its status again to keep the rest.`,
    blankNote: 'The note says nothing.',
    markup: (markup: string) => `Shoppers will see ${markup} as it stands here.`,
    contestOver: 'The contest is over already.',
    expired: 'The code has expired: nobody can use it.',
    endless:
      'The code takes 100% off, without an end or a limit of uses: anybody may use it again and again.',
    refundAbove: (total: string) => `The amount is above the total of the order, ${total}.`,
    refundedBefore: 'The order has been refunded before.',
  },
  between: (min: string, max: string) => `From ${min} to ${max}.`,
  listOf: (most: number, characters: number) =>
    `At most ${most}, each of at most ${n(characters, { one: '# character', other: '# characters' })}.`,
  listMost: (most: number) => `At most ${most} of these.`,
  email: 'An e-mail address, for example name@example.com.',
  botToken: 'The token as the messenger gives it: digits, a colon, and letters.',
  publicHost: 'The address must be reachable from the internet.',
  port: 'The address must have an ordinary port: 443, or one from 1024 on.',
  https: 'The address must start with https://.',
  noAddress: 'The button has an address only if it opens an app of yours.',
  noPassword: 'The address must not contain a user name or password.',
  tooMuch: 'This is too much to keep. Shorten it.',
  choose: 'Choose one of the values on offer.',
  date: 'A date and time.',
  characters: 'This has characters that cannot be kept. Type it anew.',
  startFirst: 'The beginning must be before the end.',
  periodMost: (most: number, unit: string) =>
    `The period has more than ${most} ${unit}. Choose a shorter one.`,
  units: { hours: 'hours', days: 'days', weeks: 'weeks', months: 'months' } as Record<string, string>,
  gone: 'This does not exist any more. Choose another.',
  ownParent: 'A category can be neither below itself nor below one of its own.',
  sameVariant: 'There is such a variant already.',
  mostOptions: (most: number) => `A product has at most ${most} options.`,
  mostValues: (most: number) => `An option has at most ${most} values.`,
  mostVariants: (most: number) => `A product has at most ${most} variants.`,
  stock: (stock: string) => `The stock would become ${stock}, which is not possible.`,
  whichVariant: 'This product is sold in variants. Choose one.',
  several: 'Several products or variants have this code.',
  balanceBelow: (balance: string) => `The balance is ${balance} and cannot fall below zero.`,
  balanceAbove: (most: string) => `The balance cannot be above ${most}.`,
  masked: 'Type this anew: what is kept is a secret, and never shown.',
  mostConditions: (count: string) => `The form has ${count} conditions, and can have 1,000.`,
  mostProviders: (most: number) => `A store has at most ${most} ways to pay.`,
  ofForm: 'This belongs to a payment button of the order form. Change it there.',
  orderTooLate: (status: string) => `Items can be changed until an order is shipped. This one is: ${status}.`,
  noToken: (name: string) => `${name} has no token, so no order can be paid through it.`,
  wrongCurrency: (name: string) => `${name} does not take the currency of this store.`,
  orderBeingPaid: (minutes: number) =>
    `The shopper is paying for this order. Its items can be changed in ${n(minutes, { one: '# minute', other: '# minutes' })}.`,
  belowBonus: (amount: string) => `The items must come to at least ${amount}, which were paid with bonus.`,
  orderTooLarge: 'The items come to more than an order can hold.',
  tooManyProducts: (count: string, most: string) =>
    `It has ${count} products, and at most ${most} can lose it at once. Take it off some of them first.`,
  noInvoices: 'This way to pay has no invoices of the messenger: only a token, or Stars, makes them.',
  noSwitch: 'This message is always sent: it cannot be switched on or off.',
  notOnSale: 'This product is not on sale.',
  soldUncounted: 'It was sold while its stock was not counted. Count it, and set the stock.',
  inStock: (count: string) => `Only ${count} in stock.`,
  notInCatalog: (most: string) => `At most ${most}, because the product is no longer in the catalog.`,
  notYourNote: 'Only who wrote a note can delete it.',
  oldNote: 'The note is older than 5 minutes, so it stays.',
  twice: 'This stands here twice.',
  noBot: 'Connect the bot of the store first.',
  mostRecipients: (count: string, most: string) =>
    `That would go to ${count} customers, and one message goes to at most ${most}. Choose fewer.`,
  beingSent: 'This message is being sent at this moment. Wait until that has ended.',
  botElsewhere: 'Another store has connected this bot, and a bot belongs to one store.',
  tokenRefused: 'The messenger does not know this token. Nothing was changed.',
  messenger: (why: string) => `The bot is not connected, nothing was changed. The messenger says: ${why}`,
  future: 'This must be in the future.',
  mostTokens: (most: string) => `The store has ${most} tokens, which is the most. Revoke one first.`,
  prove: 'Give your password or a code once more.',
  wrongPassword: 'This is not your password.',
  wrongCode: 'The code is wrong, or was used before.',
  wrongSignIn: 'The e-mail address or the password is wrong.',
  meanwhile: 'This has changed meanwhile. Load the page again.',
  easyPassword:
    'This password is too easy to guess. A few words that have nothing to do with each other are a good one.',
  memberAlready: 'This person is a member of the store already.',
  invitedAlready: 'Somebody else has invited this person at this moment.',
  mostInvitations: (most: string) =>
    `There are ${most} open invitations, which is the most. Withdraw some first.`,
  badLink: 'This link is not whole. Copy all of it.',
  usedLink: 'This link has been used, or is too old. Ask for a new one.',
  signedInAs: (email: string) => `You are signed in as ${email}, so no password is needed.`,
  onlyOwner: 'This is the only owner of the store. Make somebody else an owner first.',
  ownAlready: 'You are an owner of this store already.',
  keptByAnother: 'Only another owner may keep what you made.',
  oneGroup: 'Choose at least one.',
  pictureKind: 'Only pictures of the kinds PNG, JPEG, WebP and GIF can be uploaded.',
  fileSize: (most: string) => `The file must not be larger than ${most}.`,
  picturesFull: (mebibytes: string) =>
    `The pictures of this store take ${mebibytes} MiB, which is the most. Remove some from their products, or ` +
    'give the address of a picture elsewhere.',
  timeZone: 'There is no such time zone. Choose one of the list.',
  signInAnew: 'This browser is not known any more. Sign in again.',
  notFound: 'This does not exist any more.',
  suspended: (reason: string) => `This store is suspended: ${reason}`,
  notInPlan: 'The plan of the store does not include this.',
  cannotResend: 'Its order was deleted, and what was sent with it: it cannot be sent again.',
};
