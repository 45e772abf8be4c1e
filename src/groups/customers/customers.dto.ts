import { sentence } from '../../platform/problems.js';
import { hasAtMostDecimals } from '../../platform/money.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Decimal, Flag, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { AtLeastOneBesidesId, CrossField } from '../../platform/schema/rules.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';
import { BONUS_KINDS, type BonusKind } from './bonus-kinds.js';

export const MAX_NAME = 128;
export const MAX_USERNAME = 64;

@Example({ search: 'olena' })
export class ListCustomersInput extends PageInput {
  @Text({
    min: 1,
    max: 200,
    optional: true,
    description: 'Part of the first name, last name or username, in any case.',
  })
  search?: string;
}

@AtLeastOneBesidesId()
@Example({ id: '7012345678', isBanned: true })
export class UpdateCustomerInput {
  @Identifier() id: string;
  @Text({ min: 1, max: MAX_USERNAME, optional: true, nullable: true }) username?: string | null;
  @Text({ min: 1, max: MAX_NAME, optional: true, nullable: true }) firstName?: string | null;
  @Text({ min: 1, max: MAX_NAME, optional: true, nullable: true }) lastName?: string | null;
  @Flag({ optional: true }) isBotBlocked?: boolean;
  @Flag({
    optional: true,
    description: 'True locks the shopper out of the storefront, the checkout, the store bot and broadcasts.',
  })
  isBanned?: boolean;
}

@Example({
  id: '7012345678',
  username: 'olena_k',
  firstName: 'Olena',
  lastName: 'Kovalenko',
  isBotBlocked: false,
  isBanned: false,
  bonusBalance: 12.5,
  bonusOwed: 0,
  orderCount: 3,
  totalSpent: 14700,
})
export class CustomerRecord {
  @Identifier({ description: "The customer's messenger user id: a 64-bit integer as a string of digits." })
  id: string;
  @Text({ nullable: true, typedByShopper: true }) username: string | null;
  @Text({ nullable: true, typedByShopper: true }) firstName: string | null;
  @Text({ nullable: true, typedByShopper: true }) lastName: string | null;
  @Flag() isBotBlocked: boolean;
  @Flag() isBanned: boolean;
  @Decimal({
    majorUnits: true,
    min: 0,
    description: "The bonus balance, in major units of the store's currency.",
  })
  bonusBalance: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    description:
      "What the customer owes of bonus, in major units of the store's currency: cashback of cancelled " +
      'orders that was already spent, for example. The next credits settle it first.',
  })
  bonusOwed: number;
  @Integer({ min: 0, description: 'The number of orders that are not cancelled.' }) orderCount: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description:
      'The sum of the orders that are PROCESSING, SHIPPED or DELIVERED, ' +
      "in minor units of the store's currency.",
  })
  totalSpent: number;
  @Text({
    nullable: true,
    description: 'The id of the customer whose referral link brought this one; null if there is none.',
  })
  referrerId: string | null;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
  @DateTime({ nullable: true }) lastSeenAt: Date | null;
}

/** What update_customer answers. */
export class SavedCustomer extends CustomerRecord {
  @Warnings() warnings?: string[];
}

/** Far larger than any bonus, and small enough that a number with 2 decimals is exact. */
const MAX_DELTA = 1_000_000_000_000;

@CrossField({
  description: "delta is not 0 and has the decimals of the store's currency, at most 2.",
  check: ({ delta }) =>
    delta !== 0 && hasAtMostDecimals(delta as number, 2)
      ? null
      : sentence('delta must be other than 0 and have at most 2 decimals', 'decimals', {
          ...{ path: 'delta', decimals: 2 },
        }),
})
@Example({ customerId: '7012345678', delta: 5, reason: 'Late delivery' })
export class AdjustBonusInput {
  @Identifier() customerId: string;
  @Decimal({
    majorUnits: true,
    min: -MAX_DELTA,
    max: MAX_DELTA,
    description:
      "The change in major units of the store's currency. A positive number credits, a negative one debits.",
    hint: 'Major units.',
  })
  delta: number;
  @Text({ min: 1, max: 500, optional: true }) reason?: string;
}

@Example({ customerId: '7012345678', delta: 5, balance: 17.5 })
export class AdjustBonusResult {
  @Identifier() customerId: string;
  @Decimal({ majorUnits: true, description: "The change, in major units of the store's currency." })
  delta: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    description: "The new balance, in major units of the store's currency.",
  })
  balance: number;
  @Warnings() warnings?: string[];
}

@Example({ customerId: '5550001234' })
export class ListBonusHistoryInput extends PageInput {
  @Identifier() customerId: string;
}

@Example({
  delta: 8,
  balance: 12,
  kind: 'cashback',
  orderId: 1042,
  explanation:
    'Cashback of order 1042: 10 % of 80 for mug-classic (level Gold) = 8, together 8. ' +
    'Balance: 4.00 + 8.00 = 12.00.',
  by: 'warehouse',
})
export class BonusEntryRecord {
  @Identifier() id: string;
  @Decimal({ majorUnits: true, description: 'Major units; negative debits.' }) delta: number;
  @Decimal({ majorUnits: true, description: 'The balance after the change, in major units.' })
  balance: number;
  @OneOf(BONUS_KINDS) kind: BonusKind;
  @Integer({
    nullable: true,
    description: 'The id of the order; null if there is none or if it was deleted.',
  })
  orderId: number | null;
  @Text({ description: 'The rule and its arithmetic, in major units.' }) explanation: string;
  @Text({ nullable: true }) reason: string | null;
  @Text({
    nullable: true,
    description: 'The name of the caller; null in entries that are older than this field.',
  })
  by: string | null;
  @DateTime() createdAt: Date;
}
