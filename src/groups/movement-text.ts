/** What a change of an order gave back or took back, as its audit row keeps it. Bonus is in major units. */
interface MovedParts {
  stock?: { productId: string; variantValue?: string; quantity: number }[];
  promocode?: string;
  bonus?: string;
  cashback?: string;
  referrerReward?: string;
  owed?: string;
}

/** What a cancellation did, and what leaving CANCELLED does instead. */
const VERBS = {
  givenBack: ['Gave back', 'Took again'],
  takenBack: ['Took back', 'Gave again'],
  short: ['Short of', 'Short of'],
};

export const isMovement = (name: string): name is keyof typeof VERBS => name in VERBS;

/** For example: `Gave back 2 × mug, 1 × tee (M), the use of TEN and 6.00 of bonus`. */
export function movementText(name: keyof typeof VERBS, before: unknown, after: unknown): string {
  const { stock = [], promocode, bonus, cashback, referrerReward, owed } = (after ?? before) as MovedParts;
  const parts = [
    ...stock.map(
      ({ productId, variantValue, quantity }) =>
        `${quantity} × ${productId}${variantValue === undefined ? '' : ` (${variantValue})`}`,
    ),
    ...(promocode === undefined ? [] : [`the use of ${promocode}`]),
    ...(bonus === undefined ? [] : [`${bonus} of bonus${debt(owed)}`]),
    ...(cashback === undefined ? [] : [`${cashback} of cashback${debt(owed)}`]),
    ...(referrerReward === undefined ? [] : [`the referrer's reward of ${referrerReward}`]),
  ];
  const [last] = parts.splice(-1);
  return `${VERBS[name][after ? 0 : 1]} ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}`;
}

const debt = (owed?: string) => (owed === undefined ? '' : `, of which ${owed} is owed`);
