import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../platform/database/statement.js';
import { currencyExponent } from '../../platform/money.js';
import { changedFields } from '../../platform/store/audit.js';
import { lockStoreVersion } from '../../platform/store/version.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { findPlan } from '../../stores/plans.js';
import type {
  Bonus,
  Cashback,
  CashbackInput,
  Referral,
  UpdateMonetizationInput,
} from './monetization.dto.js';
import {
  AVERAGE_PAID_ORDER,
  GET_MONETIZATION,
  GET_REWARD_RULES,
  LOCK_MONETIZATION,
  MONETIZATION_VERSION,
  type RewardRules,
  SAVE_MONETIZATION,
  STRANGE_CATEGORY_KEYS,
} from './monetization.statements.js';
import { monetizationWarnings } from './monetization-warnings.js';

export interface Blocks {
  bonus: Bonus;
  referral: Referral;
  cashback: Cashback;
}

/** The blocks of a store that has configured nothing: bonus is neither accepted nor given. */
const DEFAULT_BLOCKS: Blocks = {
  bonus: { maxPercentage: 0, mutualExclusivityWithPromocode: false },
  referral: { referralJoinBonus: 0, referrerOrderBonus: 0, referrerBonusFrequency: 'once' },
  cashback: {
    enabled: false,
    description: null,
    levels: [],
    categoryRates: [],
    promotions: [],
    maxCashbackPerOrder: null,
    cashbackTrigger: 'on_payment',
    cashbackTriggerStatus: null,
  },
};

@Injectable()
export class MonetizationService {
  async get(ctx: StoreContext): Promise<Blocks & { updatedAt: Date | null }> {
    const [stored] = await ctx.session.read(GET_MONETIZATION);
    return shown(withDefaults(stored), stored?.updatedAt ?? null);
  }

  /** Each given block replaces the stored one completely. */
  async update(
    ctx: StoreContext,
    { bonus, referral, cashback }: UpdateMonetizationInput,
  ): Promise<Blocks & { updatedAt: Date | null }> {
    await lockStoreVersion(ctx, MONETIZATION_VERSION);
    ctx.audit.target = `monetization:${ctx.storeId}`;
    if (!bonus && !referral && !cashback) {
      const stored = await this.get(ctx);
      return warned(ctx, stored);
    }
    const [stored] = await ctx.session.query(LOCK_MONETIZATION, { now: ctx.now() });
    const before = withDefaults(stored);
    const given = { bonus, referral, cashback: cashback && withCashbackDefaults(cashback) };
    ctx.session.enqueue(SAVE_MONETIZATION, {
      bonus: given.bonus && JSON.stringify(given.bonus),
      referral: given.referral && JSON.stringify(given.referral),
      cashback: given.cashback && JSON.stringify(given.cashback),
    });
    const { updatedAt, ...after } = shown(
      {
        bonus: given.bonus ?? before.bonus,
        referral: given.referral ?? before.referral,
        cashback: given.cashback ?? before.cashback,
      },
      stored.updatedAt,
    );
    ctx.audit.changes = changedFields(shown(before, null), after);
    return warned(ctx, { ...after, updatedAt });
  }

  /** The rules that reward orders of the store at present. Runs in the transaction of the call. */
  async rewardRules(ctx: StoreContext): Promise<RewardRules> {
    const [{ plan, ...rules }] = await ctx.session.query(GET_REWARD_RULES);
    return findPlan(plan)?.features.cashback ? rules : { ...rules, cashback: null };
  }
}

async function warned<Stored extends Blocks>(ctx: StoreContext, stored: Stored) {
  const [{ average }] = await ctx.session.read(AVERAGE_PAID_ORDER, { now: ctx.now() });
  const exponent = currencyExponent(ctx.currency);
  const inMajor = average === null ? null : new Big(average).div(new Big(10).pow(exponent)).toFixed(exponent);
  const keys = stored.cashback.categoryRates.map(({ categoryKey }) => categoryKey);
  const strange = keys.length === 0 ? [] : await ctx.session.query(STRANGE_CATEGORY_KEYS, { keys });
  return withWarnings(stored, [
    ...monetizationWarnings(stored, ctx.currency, inMajor),
    ...strange.map(({ key }) =>
      warning(`cashback.categoryRates: "${key}" is no category's id, slug or name`, 'no_category', { key }),
    ),
  ]);
}

/**
 * The blocks as callers see them and may send them back. Unset fields of the cashback block are left out,
 * because an update does not accept null for them.
 */
function shown(
  { bonus, referral, cashback }: Blocks,
  updatedAt: Date | null,
): Blocks & { updatedAt: Date | null } {
  const { description, cashbackTriggerStatus, ...others } = cashback;
  const given = {
    ...(description === null ? {} : { description }),
    ...(cashbackTriggerStatus ? { cashbackTriggerStatus } : {}),
  };
  return { bonus, referral, cashback: { ...others, ...given }, updatedAt };
}

function withDefaults(stored: RowOf<typeof GET_MONETIZATION> | undefined): Blocks {
  return {
    bonus: stored?.bonus ?? DEFAULT_BLOCKS.bonus,
    referral: stored?.referral ?? DEFAULT_BLOCKS.referral,
    cashback: stored?.cashback ?? DEFAULT_BLOCKS.cashback,
  };
}

/** The block as it is stored, with defaults for the fields that were left out. */
function withCashbackDefaults(cashback: CashbackInput): Cashback {
  return {
    ...cashback,
    description: cashback.description ?? null,
    promotions: cashback.promotions.map((promotion) => ({
      maxCashbackPerOrder: null,
      enabled: true,
      ...promotion,
    })),
    cashbackTriggerStatus: cashback.cashbackTriggerStatus ?? null,
  };
}
