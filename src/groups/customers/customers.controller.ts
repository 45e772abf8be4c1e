import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/operation.decorator.js';
import { IdInput } from '../../platform/schema/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BonusHistory } from './bonus-history.service.js';
import {
  AdjustBonusInput,
  AdjustBonusResult,
  BonusEntryRecord,
  CustomerRecord,
  ListBonusHistoryInput,
  ListCustomersInput,
  UpdateCustomerInput,
} from './customers.dto.js';
import { CustomersService } from './customers.service.js';

@Controller('v1')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly history: BonusHistory,
  ) {}

  @Operation({
    name: 'list_customers',
    scope: 'read',
    summary: 'List customers',
    description:
      'List customers by id, or search them by part of first name, last name or username. Returns a page and nextCursor.',
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
    description: 'Get one customer by messenger user id: names, bans, bonus balance, how many orders and what they came to.',
    input: IdInput,
    output: CustomerRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.customers.get(ctx, input.id);
  }

  @Operation({
    name: 'update_customer',
    scope: 'write',
    summary: 'Update a customer',
    description: "Change a customer's names or flags; isBanned: true locks them out of the shop. Returns the customer.",
    input: UpdateCustomerInput,
    output: CustomerRecord,
    idempotent: true,
    ifMatch: true,
  })
  update(ctx: StoreContext, input: UpdateCustomerInput) {
    return this.customers.update(ctx, input);
  }

  @Operation({
    name: 'adjust_bonus',
    scope: 'write',
    summary: "Adjust a customer's bonus",
    description: 'Credit (positive delta) or debit (negative) bonus, in major units. Never below 0. Returns the new balance.',
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
    description: "List every change of a customer's bonus, newest first, with the rule and arithmetic behind it. Major units.",
    input: ListBonusHistoryInput,
    output: BonusEntryRecord,
    list: true,
    beyond: true,
  })
  bonusHistory(ctx: StoreContext, input: ListBonusHistoryInput) {
    return this.history.list(ctx, input);
  }
}
