import { DateTime, Decimal, Flag, Identifier, Integer, Nested, OneOf, Text } from '../../platform/schema/fields.js';
import type { PlanFeatures } from '../../stores/plans.js';

const MAJOR_UNITS = 'Major units of the currency.';

export class SubscriptionRecord {
  @OneOf(['active', 'past_due', 'canceled']) status: string;
  @DateTime() startedAt: Date;
  @Flag() cancelAtPeriodEnd: boolean;
}

export class PlanRecord {
  @Text() code: string;
  @Text() name: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) price: string;
  @Text() currency: string;
  @OneOf(['month']) interval: string;
}

export class BillingWindow {
  @DateTime() start: Date;
  @DateTime({ description: 'Not included.' }) end: Date;
}

export class FeatureFlags implements PlanFeatures {
  @Flag() messages: boolean;
  @Flag() contests: boolean;
  @Flag() cashback: boolean;
  @Flag() webhooks: boolean;
  @Flag() mcp: boolean;
}

export class UsageRecord {
  @Decimal({ min: 0, description: `The plan's price. ${MAJOR_UNITS}` }) base: string;
  @Integer({ min: 0 }) includedContacts: number;
  @Integer({ min: 0, description: 'Every customer of the store counts.' }) contacts: number;
  @Integer({ min: 0 }) overageContacts: number;
  @Decimal({ min: 0, description: MAJOR_UNITS }) overageUnitPrice: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) overage: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) total: string;
  @Text() currency: string;
}

export class ContactsRecord {
  @Integer({ min: 0 }) total: number;
  @Integer({ min: 0, description: 'Neither banned nor blocking the bot.' }) active: number;
  @Integer({ min: 0 }) banned: number;
  @Integer({ min: 0 }) botBlocked: number;
  @DateTime() asOf: Date;
}

export class MigrationRecord {
  @OneOf(['none', 'completed'], { description: 'Of the latest change of plan; none when there was none.' }) status: string;
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

export class InvoiceRecord {
  @Identifier() id: string;
  @Text() number: string;
  @OneOf(['open', 'paid', 'void']) status: string;
  @Decimal({ min: 0, description: MAJOR_UNITS }) amount: string;
  @Text() currency: string;
  @DateTime() periodStart: Date;
  @DateTime({ description: 'Not included.' }) periodEnd: Date;
  @DateTime() issuedAt: Date;
  @DateTime({ nullable: true }) paidAt: Date | null;
}
