/** What the service warns of (api/telling/warning-words.ts), for a shop owner. */
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
  noToken: (name: string) => `${name} has no token, so no order can be paid through it.`,
};
