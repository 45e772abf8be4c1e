import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { IdInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CustomerReference, SetCustomerReferenceInput } from './references/customer-reference.dto.js';
import { CustomerReferences } from './references/customer-references.service.js';
import { BonusHistory } from './bonus-history.service.js';
import {
  AdjustBonusInput,
  AdjustBonusResult,
  BonusEntryRecord,
  CustomerRecord,
  ListBonusHistoryInput,
  ListCustomersInput,
  SavedCustomer,
  UpdateCustomerInput,
} from './customers.dto.js';
import { CustomersService } from './customers.service.js';
import { FindCustomersInput, FoundCustomer } from './finding/customer-search.dto.js';
import { CustomerSearch } from './finding/customer-search.service.js';

@Controller('v1')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly history: BonusHistory,
    private readonly search: CustomerSearch,
    private readonly references: CustomerReferences,
  ) {}

  @Operation({
    name: 'list_customers',
    scope: 'read',
    summary: 'List customers',
    description:
      'List customers by id, or search by part of their name or username. Bonus in major units, totalSpent ' +
      'in minor.',
    input: ListCustomersInput,
    output: CustomerRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListCustomersInput) {
    return this.customers.list(ctx, input);
  }

  @Operation({
    name: 'get_customer',
    scope: 'read',
    summary: 'Get a customer',
    description:
      'Get a customer by messenger user id (a string): names, flags, bonusBalance and bonusOwed ' +
      '(major units), ' +
      'orderCount, totalSpent (minor units).',
    input: IdInput,
    output: CustomerRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.customers.get(ctx, input.id);
  }

  @Operation({
    name: 'find_customers',
    scope: 'read',
    summary: 'Find customers',
    description: 'Find customers by text, orders, spending, products bought, times and flags, with a total.',
    input: FindCustomersInput,
    output: FoundCustomer,
    list: 'counted',
    beyond: true,
  })
  find(ctx: StoreContext, input: FindCustomersInput) {
    return this.search.find(ctx, input);
  }

  @Operation({
    name: 'update_customer',
    scope: 'write',
    summary: 'Update a customer',
    description: "Change a customer's names or flags. isBanned: true locks the customer out of the shop.",
    input: UpdateCustomerInput,
    output: SavedCustomer,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateCustomerInput) {
    return this.customers.update(ctx, input);
  }

  @Operation({
    name: 'set_customer_reference',
    scope: 'write',
    summary: "Set another system's id of a customer",
    description:
      "Set another system's id of a customer and its metadata; null clears. find_customers finds the id.",
    input: SetCustomerReferenceInput,
    output: CustomerReference,
    idempotent: true,
    beyond: true,
  })
  setReference(ctx: StoreContext, input: SetCustomerReferenceInput) {
    return this.references.set(ctx, input);
  }

  @Operation({
    name: 'adjust_bonus',
    scope: 'write',
    summary: "Adjust a customer's bonus",
    description:
      'Add bonus to a customer (positive delta) or take it (negative). The balance cannot fall below 0; a ' +
      'credit first settles bonusOwed. A repeated call adds again.',
    input: AdjustBonusInput,
    output: AdjustBonusResult,
  })
  adjustBonus(ctx: StoreContext, input: AdjustBonusInput) {
    return this.customers.adjustBonus(ctx, input);
  }

  @Operation({
    name: 'list_bonus_history',
    scope: 'read',
    summary: "List a customer's bonus history",
    description:
      "List every change of a customer's bonus (major units), newest first, each with the rule and " +
      'arithmetic behind it.',
    input: ListBonusHistoryInput,
    output: BonusEntryRecord,
    list: true,
    beyond: true,
  })
  bonusHistory(ctx: StoreContext, input: ListBonusHistoryInput) {
    return this.history.list(ctx, input);
  }
}
