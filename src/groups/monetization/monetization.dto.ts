import { Example } from '../../platform/schema/example.js';
import { DateTime, Day, Decimal, Flag, LongText, Nested, NestedList, OneOf, Text } from '../../platform/schema/fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { ORDER_STATUSES, type OrderStatus } from '../order-status.js';
import type { CashbackTrigger } from './cashback.js';

const TRIGGERS: CashbackTrigger[] = ['on_order_place', 'on_payment', 'on_status'];

@Example({ maxPercentage: 30 })
export class Bonus {
  @Decimal({ min: 0, max: 100, description: 'How much of an order bonus may pay, in percent.' }) maxPercentage: number;
  @Flag({ description: 'True: an order takes bonus or a promocode, not both.' }) mutualExclusivityWithPromocode: boolean;
}

export const REFERRAL_FREQUENCIES = ['once', 'every_order'] as const;

@Example({ referralJoinBonus: 2, referrerOrderBonus: 5 })
export class Referral {
  @Decimal({ min: 0, description: 'Major units, to a newcomer who came by a link.' }) referralJoinBonus: number;
  @Decimal({ min: 0, description: 'Major units, to the referrer when a referred customer pays.' }) referrerOrderBonus: number;
  @OneOf(REFERRAL_FREQUENCIES) referrerBonusFrequency: (typeof REFERRAL_FREQUENCIES)[number];
}

@Example({ minOrders: 0, maxOrders: 9, cashbackPercentage: 5, levelName: 'Regular' })
export class Level {
  @Decimal({ min: 0, description: "Of the customer's earlier orders, inclusive." }) minOrders: number;
  @Decimal({ min: 0, nullable: true, description: 'Inclusive; null is open.' }) maxOrders: number | null;
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
  @Text() levelName: string;
}

@Example({ categoryKey: 'mugs', cashbackPercentage: 7 })
export class CategoryRate {
  @Text({ min: 1, max: 200, description: "A category's id, slug or name." }) categoryKey: string;
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
}

@Example({ id: 'may', label: 'May double', startsAt: '2026-05-01', endsAt: '2026-05-31', cashbackPercentage: 2 })
export class PromotionInput {
  @Text({ min: 1, max: 64 }) id: string;
  @Text({ max: 120 }) label: string;
  @Day({ description: 'First day, UTC.' }) startsAt: string;
  @Day({ nullable: true, description: 'Last day, UTC; null is open.' }) endsAt: string | null;
  @OneOf(['add', 'override']) mode: 'add' | 'override';
  @Decimal({ min: 0, max: 100 }) cashbackPercentage: number;
  @Decimal({ min: 0, optional: true, nullable: true, description: 'Major units. Default null: no cap.' })
  maxCashbackPerOrder?: number | null;
  @Flag({ optional: true, description: 'Default true.' }) enabled?: boolean;
}

export class CashbackInput {
  @Flag() enabled: boolean;
  @LongText({ optional: true }) description?: string;
  @NestedList(() => Level) levels: Level[];
  @NestedList(() => CategoryRate, { max: 200 }) categoryRates: CategoryRate[];
  @NestedList(() => PromotionInput, { max: 100 }) promotions: PromotionInput[];
  @Decimal({ min: 0, nullable: true, description: 'Major units; null is no cap.' }) maxCashbackPerOrder: number | null;
  @OneOf(TRIGGERS) cashbackTrigger: CashbackTrigger;
  @OneOf(ORDER_STATUSES, { optional: true, description: 'With on_status: the status that earns the cashback.' })
  cashbackTriggerStatus?: OrderStatus;
}

@Example({ bonus: { maxPercentage: 25, mutualExclusivityWithPromocode: true } })
export class UpdateMonetizationInput {
  @Nested(() => Bonus, { optional: true }) bonus?: Bonus;
  @Nested(() => Referral, { optional: true }) referral?: Referral;
  @Nested(() => CashbackInput, { optional: true }) cashback?: CashbackInput;
}

@Example({ id: 'may', label: 'May double', startsAt: '2026-05-01', endsAt: '2026-05-31', cashbackPercentage: 2 })
export class Promotion {
  @Text() id: string;
  @Text() label: string;
  @Day() startsAt: string;
  @Day({ nullable: true }) endsAt: string | null;
  @OneOf(['add', 'override']) mode: 'add' | 'override';
  @Decimal() cashbackPercentage: number;
  @Decimal({ nullable: true }) maxCashbackPerOrder: number | null;
  @Flag() enabled: boolean;
}

export class Cashback {
  @Flag() enabled: boolean;
  @Text({ optional: true, description: 'Absent while unset.' }) description?: string | null;
  @NestedList(() => Level) levels: Level[];
  @NestedList(() => CategoryRate) categoryRates: CategoryRate[];
  @NestedList(() => Promotion) promotions: Promotion[];
  @Decimal({ nullable: true }) maxCashbackPerOrder: number | null;
  @OneOf(TRIGGERS) cashbackTrigger: CashbackTrigger;
  @OneOf(ORDER_STATUSES, { optional: true, description: 'Absent while unset.' }) cashbackTriggerStatus?: OrderStatus | null;
}

export class MonetizationRecord {
  @Nested(() => Bonus) bonus: Bonus;
  @Nested(() => Referral) referral: Referral;
  @Nested(() => Cashback) cashback: Cashback;
  @DateTime({ nullable: true, description: 'Null while everything is at its default.' }) updatedAt: string | null;
}

export class UpdatedMonetization extends MonetizationRecord {
  @Warnings() warnings?: string[];
}
