import { Example } from '../../platform/schema/example.js';
import { DateTime, Decimal, Flag, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested } from '../../platform/schema/list-fields.js';
import type { PlanFeatures } from '../../stores/plans.js';

const MAJOR_UNITS = 'The amount in major units of the currency.';

@Example({ cancelAtPeriodEnd: false })
export class SubscriptionRecord {
  @OneOf(['active', 'past_due', 'canceled']) status: string;
  @DateTime() startedAt: Date;
  @Flag() cancelAtPeriodEnd: boolean;
}

@Example({ code: 'pro', name: 'Pro', price: 29, currency: 'USD' })
export class PlanRecord {
  @Text() code: string;
  @Text() name: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) price: string;
  @Text() currency: string;
  @OneOf(['month']) interval: string;
}

@Example({ start: '2026-05-01T00:00:00.000Z', end: '2026-06-01T00:00:00.000Z' })
export class BillingWindow {
  @DateTime() start: Date;
  @DateTime({ description: 'The end of the period; this moment is no longer part of it.' }) end: Date;
}

export class FeatureFlags implements PlanFeatures {
  @Flag() messages: boolean;
  @Flag() contests: boolean;
  @Flag() cashback: boolean;
  @Flag() webhooks: boolean;
  @Flag() mcp: boolean;
}

@Example({
  base: 29,
  includedContacts: 1000,
  contacts: 1240,
  overageContacts: 240,
  overageUnitPrice: 0.01,
  overage: 2.4,
  total: 31.4,
  currency: 'USD',
})
export class UsageRecord {
  @Decimal({ min: 0, description: 'The price of the plan, in major units of the currency.' }) base: string;
  @Integer({ min: 0 }) includedContacts: number;
  @Integer({ min: 0, description: 'The number of customers that are counted: all of the store.' })
  contacts: number;
  @Integer({ min: 0 }) overageContacts: number;
  @Decimal({ min: 0, description: MAJOR_UNITS }) overageUnitPrice: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) overage: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) total: string;
  @Text() currency: string;
}

@Example({ total: 1240, active: 1180, banned: 3, botBlocked: 57 })
export class ContactsRecord {
  @Integer({ min: 0 }) total: number;
  @Integer({ min: 0, description: 'Customers who are not banned and have not blocked the bot.' })
  active: number;
  @Integer({ min: 0 }) banned: number;
  @Integer({ min: 0 }) botBlocked: number;
  @DateTime() asOf: Date;
}

export class MigrationRecord {
  @OneOf(['none', 'completed'], {
    description: 'The state of the latest change of plan; none if the plan has never changed.',
  })
  status: string;
  @Text({ nullable: true }) fromPlan: string | null;
  @Text({ nullable: true }) toPlan: string | null;
}

export class BillingStatus {
  @Nested(() => SubscriptionRecord) subscription: SubscriptionRecord;
  @Nested(() => PlanRecord) plan: PlanRecord;
  @Nested(() => BillingWindow) window: BillingWindow;
  @Nested(() => FeatureFlags) features: FeatureFlags;
  @Nested(() => UsageRecord) usage: UsageRecord;
  @Nested(() => ContactsRecord) contacts: ContactsRecord;
  @Nested(() => MigrationRecord) migration: MigrationRecord;
}

@Example({
  number: '2026-04',
  status: 'paid',
  amount: 29,
  currency: 'USD',
  periodStart: '2026-04-01T00:00:00.000Z',
  periodEnd: '2026-05-01T00:00:00.000Z',
})
export class InvoiceRecord {
  @Identifier() id: string;
  @Text() number: string;
  @OneOf(['open', 'paid', 'void']) status: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) amount: string;
  @Text() currency: string;
  @DateTime() periodStart: Date;
  @DateTime({ description: 'The end of the period; this moment is no longer part of it.' }) periodEnd: Date;
  @DateTime() issuedAt: Date;
  @DateTime({ nullable: true }) paidAt: Date | null;
}
