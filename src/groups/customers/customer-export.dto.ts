import { Example } from '../../platform/schema/example.js';
import { DateTime, Decimal, Flag, Identifier, Integer, Text } from '../../platform/schema/fields.js';

/** The input of list_customers without its paging. */
@Example({ search: 'olena' })
export class ExportCustomersInput {
  @Text({ min: 1, max: 200, optional: true, description: 'As in list_customers.' }) search?: string;
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
  @Flag() isBanned: boolean;
  @Flag() isBotBlocked: boolean;
  @Integer() orderCount: number;
  @Decimal({ description: 'Major units.' }) totalSpent: string;
  @Decimal({ description: 'Major units; 2 decimals, whatever the currency has.' }) bonusBalance: string;
  @Text() currency: string;
  @Text({ nullable: true }) referrerId: string | null;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) lastSeenAt: Date | null;
}
