import { AllOf, OmitOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import {
  DateTime,
  Decimal,
  Flag,
  Identifier,
  Integer,
  OneOf,
  SearchText,
  Text,
} from '../../platform/schema/fields.js';
import { CrossField } from '../../platform/schema/rules.js';
import { CUSTOMER_SORTS, type CustomerSort, FindCustomersInput } from './finding/customer-search.dto.js';

class TableInput {
  @Flag({ optional: true, description: 'Semicolons between cells and decimal commas. Default false.' })
  decimalComma?: boolean;
  @Text({ min: 1, max: 200, optional: true, description: 'As in list_customers.' }) search?: string;
}

/** The input of list_customers or of find_customers, without their paging. */
@Example({ minOrders: 2 })
@CrossField({
  description: 'search is given alone; text goes with the other filters.',
  check: ({ search, decimalComma: _, ...others }) =>
    search !== undefined && Object.values(others).some((value) => value !== undefined)
      ? 'search must be given alone: text goes with the other filters'
      : null,
})
export class ExportCustomersInput extends AllOf(
  TableInput,
  OmitOf(FindCustomersInput, 'take', 'cursor', 'idsOnly'),
) {
  @SearchText({ description: 'As in find_customers.' })
  text?: string;
  @OneOf(CUSTOMER_SORTS, { optional: true, description: 'As in find_customers.' }) sort?: CustomerSort;
}

/** A row of the table. Its fields are the columns. */
@Example({
  id: '7012345678',
  firstName: 'Olena',
  orderCount: 3,
  totalSpent: 147.0,
  bonusBalance: 12.5,
  currency: 'USD',
})
export class ExportedCustomer {
  @Identifier() id: string;
  @Text({ nullable: true }) username: string | null;
  @Text({ nullable: true }) firstName: string | null;
  @Text({ nullable: true }) lastName: string | null;
  @Text({ nullable: true, description: 'Of the newest order that has one.' }) phone: string | null;
  @Flag() isBanned: boolean;
  @Flag() isBotBlocked: boolean;
  @Integer() orderCount: number;
  @Decimal({ description: 'Major units.' }) totalSpent: string;
  @DateTime({ nullable: true, description: 'The newest order that is not cancelled.' })
  lastOrderAt: Date | null;
  @Decimal({ description: 'Major units; 2 decimals, whatever the currency has.' }) bonusBalance: string;
  @Text() currency: string;
  @Text({ nullable: true }) referrerId: string | null;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) lastSeenAt: Date | null;
}
