import { Example } from '../../platform/schema/example.js';
import { DateTime, Day, Decimal, Flag, LongText, OneOf, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { ORDER_STATUSES, type OrderStatus } from '../order-status.js';
import type { CashbackTrigger } from './cashback.types.js';

const TRIGGERS: CashbackTrigger[] = ['on_order_place', 'on_payment', 'on_status'];

@Example({ maxPercentage: 30 })
export class Bonus {
  @Decimal({
    min: 0,
    max: 100,
    description: 'The largest part of an order that bonus may pay, in percent.',
    hint: 'Percent of an order.',
  })
  maxPercentage: number;
  @Flag({ description: 'If true, an order may use bonus or a promocode, but not both.' })
  mutualExclusivityWithPromocode: boolean;
}

const REFERRAL_FREQUENCIES = ['once', 'every_order'] as const;

@Example({ referralJoinBonus: 2, referrerOrderBonus: 5 })
export class Referral {
  @Decimal({
    majorUnits: true,
    min: 0,
    description:
      "The bonus for a new customer who came by a referral link, in major units of the store's currency.",
    hint: 'Major units.',
  })
  referralJoinBonus: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    description:
      "The bonus for the referrer when a referred customer's order is paid, in major units of the store's " +
      'currency.',
    hint: 'Major units.',
  })
  referrerOrderBonus: number;
  @OneOf(REFERRAL_FREQUENCIES) referrerBonusFrequency: (typeof REFERRAL_FREQUENCIES)[number];
}

@Example({ minOrders: 0, maxOrders: 9, cashbackPercentage: 5, levelName: 'Regular' })
export class CashbackLevel {
  @Decimal({ min: 0, description: 'The level applies from this number of earlier orders of the customer.' })
  minOrders: number;
  @Decimal({
    min: 0,
    nullable: true,
    description:
      'The level applies up to and including this number of earlier orders. Null means that there is no ' +
      'upper end.',
    hint: 'null: no end.',
  })
  maxOrders: number | null;
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
  @Text() levelName: string;
}

@Example({ categoryKey: 'mugs', cashbackPercentage: 7 })
export class CashbackCategoryRate {
  @Text({
    min: 1,
    max: 200,
    description: 'The id, the slug or the name of a category.',
    hint: 'Id, slug or name.',
  })
  categoryKey: string;
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
}

const MAY = {
  id: 'may',
  label: 'May double',
  startsAt: '2026-05-01',
  endsAt: '2026-05-31',
  cashbackPercentage: 2,
};

@Example(MAY)
export class CashbackPromotionInput {
  @Text({ min: 1, max: 64 }) id: string;
  @Text({ max: 120 }) label: string;
  @Day({ description: 'The first day of the promotion, in UTC.', hint: 'First day, UTC.' }) startsAt: string;
  @Day({
    nullable: true,
    description: 'The last day of the promotion, in UTC. Null means that it does not end.',
    hint: 'Last day, UTC.',
  })
  endsAt: string | null;
  @OneOf(['add', 'override']) mode: 'add' | 'override';
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
  @Decimal({
    majorUnits: true,
    min: 0,
    optional: true,
    nullable: true,
    description:
      "The most that the promotion adds to one order, in major units of the store's currency. Null, the " +
      'default, means no limit.',
    hint: 'Major units.',
  })
  maxCashbackPerOrder?: number | null;
  @Flag({
    optional: true,
    description: 'Whether the promotion is in force. The default is true.',
    hint: 'Default true.',
  })
  enabled?: boolean;
}

export class CashbackInput {
  @Flag() enabled: boolean;
  @LongText({ optional: true }) description?: string;
  @NestedList(() => CashbackLevel) levels: CashbackLevel[];
  @NestedList(() => CashbackCategoryRate, { max: 200 }) categoryRates: CashbackCategoryRate[];
  @NestedList(() => CashbackPromotionInput, { max: 100 }) promotions: CashbackPromotionInput[];
  @Decimal({
    majorUnits: true,
    min: 0,
    nullable: true,
    description:
      "The most cashback for one order, in major units of the store's currency. Null means no limit.",
    hint: 'Major units.',
  })
  maxCashbackPerOrder: number | null;
  @OneOf(TRIGGERS) cashbackTrigger: CashbackTrigger;
  @OneOf(ORDER_STATUSES, {
    optional: true,
    description: 'The status that earns the cashback. It is used only with the trigger on_status.',
    hint: 'With on_status.',
  })
  cashbackTriggerStatus?: OrderStatus;
}

@Example({ bonus: { maxPercentage: 25, mutualExclusivityWithPromocode: true } })
export class UpdateMonetizationInput {
  @Nested(() => Bonus, { optional: true }) bonus?: Bonus;
  @Nested(() => Referral, { optional: true }) referral?: Referral;
  @Nested(() => CashbackInput, { optional: true }) cashback?: CashbackInput;
}

const LIMIT = {
  majorUnits: true,
  nullable: true,
  description: "The limit for one order, in major units of the store's currency; null if there is none.",
} as const;

@Example(MAY)
export class CashbackPromotion {
  @Text() id: string;
  @Text() label: string;
  @Day() startsAt: string;
  @Day({ nullable: true }) endsAt: string | null;
  @OneOf(['add', 'override']) mode: 'add' | 'override';
  @Decimal() cashbackPercentage: number;
  @Decimal(LIMIT) maxCashbackPerOrder: number | null;
  @Flag() enabled: boolean;
}

export class Cashback {
  @Flag() enabled: boolean;
  @Text({ optional: true, description: 'Absent if it is not set.' }) description?: string | null;
  @NestedList(() => CashbackLevel) levels: CashbackLevel[];
  @NestedList(() => CashbackCategoryRate) categoryRates: CashbackCategoryRate[];
  @NestedList(() => CashbackPromotion) promotions: CashbackPromotion[];
  @Decimal(LIMIT) maxCashbackPerOrder: number | null;
  @OneOf(TRIGGERS) cashbackTrigger: CashbackTrigger;
  @OneOf(ORDER_STATUSES, { optional: true, description: 'Absent if it is not set.' })
  cashbackTriggerStatus?: OrderStatus | null;
}

export class MonetizationRecord {
  @Nested(() => Bonus) bonus: Bonus;
  @Nested(() => Referral) referral: Referral;
  @Nested(() => Cashback) cashback: Cashback;
  @DateTime({
    nullable: true,
    description: 'The time of the last change; null if every value is the default.',
  })
  updatedAt: string | null;
}

export class UpdatedMonetization extends MonetizationRecord {
  @Warnings() warnings?: string[];
}
