import { Example } from '../../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  SearchText,
  Text,
} from '../../../platform/schema/fields.js';
import { FindInput } from '../../../platform/schema/pages/page.dto.js';

export const CUSTOMER_SORTS = ['newest', 'oldest', 'most_spent', 'recently_ordered'] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

@Example({ text: 'olena', minOrders: 2, sort: 'most_spent' })
export class FindCustomersInput extends FindInput {
  @SearchText({
    description: 'Name, @username, id, externalId, or phone number of an order.',
    hint: 'Name, @username, id, externalId, phone of an order.',
  })
  text?: string;
  @Integer({ min: 0, optional: true }) minOrders?: number;
  @Integer({ min: 0, optional: true }) maxOrders?: number;
  @Integer({ min: 0, optional: true, minorUnits: true, description: 'Minor units.' }) minSpent?: number;
  @Identifier({ limit: 500, optional: true, description: 'Internal or external id.' })
  boughtProductId?: string;
  @Identifier({ optional: true, description: 'With the categories below it.', hint: 'With those below.' })
  boughtCategoryId?: string;
  @DateTime({ optional: true }) lastOrderFrom?: string;
  @DateTime({ optional: true }) lastOrderTo?: string;
  @DateTime({ optional: true }) createdFrom?: string;
  @DateTime({ optional: true }) updatedFrom?: string;
  @Flag({ optional: true }) isBotBlocked?: boolean;
  @Flag({ optional: true }) isBanned?: boolean;
  @OneOf(CUSTOMER_SORTS, { optional: true, description: 'Default newest.' }) sort?: CustomerSort;
}

@Example({
  id: '7012345678',
  name: 'Olena Kovalenko',
  username: 'olena_k',
  phone: '+15550123',
  orderCount: 3,
  totalSpent: 14700,
  bonusBalance: 12.5,
  externalId: 'C-20815',
  isBotBlocked: false,
  isBanned: false,
})
export class FoundCustomer {
  @Identifier() id: string;
  @Text({ nullable: true, typedByShopper: true }) name: string | null;
  @Text({ nullable: true, typedByShopper: true }) username: string | null;
  @Text({ nullable: true, typedByShopper: true, description: 'Of the newest order that has one.' })
  phone: string | null;
  @Integer({ min: 0, description: 'Orders that are not cancelled.' }) orderCount: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'Of orders that are PROCESSING, SHIPPED or DELIVERED, in minor units.',
  })
  totalSpent: number;
  @Decimal({ majorUnits: true, min: 0, description: 'Major units.' }) bonusBalance: number;
  @DateTime({ nullable: true, description: 'The newest order that is not cancelled.' })
  lastOrderAt: Date | null;
  @Text({ nullable: true }) externalId: string | null;
  @Flag() isBotBlocked: boolean;
  @Flag() isBanned: boolean;
}
