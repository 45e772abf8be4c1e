import { BotMessages } from '../../groups/bot/bot-messages.service.js';
import { CheckoutConfiguration } from '../../groups/checkout/checkout-configuration.service.js';
import type { UpdateCheckoutInput } from '../../groups/checkout/checkout.dto.js';
import type { CreateContestInput } from '../../groups/contests/contests.dto.js';
import { ContestsService } from '../../groups/contests/contests.service.js';
import { InvoiceFields } from '../../groups/invoice-fields/invoice-fields.service.js';
import type { UpdateMonetizationInput } from '../../groups/monetization/monetization.dto.js';
import { MonetizationService } from '../../groups/monetization/monetization.service.js';
import type { CreatePaymentProviderInput } from '../../groups/payment-providers/payment-providers.dto.js';
import { PaymentProviders } from '../../groups/payment-providers/payment-providers.service.js';
import type { CreatePromocodeInput } from '../../groups/promocodes/promocodes.dto.js';
import { PromocodesService } from '../../groups/promocodes/promocodes.service.js';
import { Settings } from '../../groups/settings/settings.service.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { Services } from '../cli/command.js';
import { DAY, HOUR, iso, type Past } from './past.js';

const SETTINGS = {
  title: 'Demo store: things for kitchen, desk and wardrobe',
  name: 'Demo store',
  description: 'A shop to try everything on. Nothing in it is for sale.',
  keywords: 'demo, mugs, t-shirts, notebooks',
};

const WELCOME = {
  text: 'Welcome to the demo store! Tap the button to look around.',
  buttonText: 'Open the shop',
};

const INVOICE_FIELDS = {
  needName: true,
  needPhoneNumber: true,
  maxTipAmount: 2_000,
  suggestedTipAmounts: [100, 200, 500],
};

const SHOWN = { required: false, defaultVisible: true };
const COURIER = { dependsOn: 'delivery', operator: 'equals', value: 'Courier' } as const;

/**
 * No field is required by default, because the orders in the documentation's examples do not have answers.
 */
const CHECKOUT: UpdateCheckoutInput = {
  mode: 'manual',
  fields: [
    {
      ...{ id: 'delivery', label: 'Delivery', type: 'select', ...SHOWN, options: 'Pickup, Courier, Post' },
      conditions: [
        { ...COURIER, action: 'increase_price', priceAdjustment: { operator: 'add', value: 4.9 } },
      ],
    },
    {
      ...{ id: 'address', label: 'Address', type: 'textarea', required: false, defaultVisible: false },
      placeholder: 'Street, house, city',
      conditions: [
        { ...COURIER, action: 'show' },
        { ...COURIER, action: 'require' },
      ],
    },
    { id: 'comment', label: 'Comment', type: 'text', ...SHOWN, placeholder: 'Anything we should know?' },
    { id: 'code', label: 'Promocode', type: 'promocode_input', ...SHOWN },
    { id: 'bonus', label: 'Pay with bonus', type: 'bonus_toggle', ...SHOWN },
  ],
  filters: [
    { id: 'category', label: 'Category', enabled: true, order: 1, visibilityMode: 'always' },
    { id: 'brand', label: 'Brand', enabled: true, order: 2, visibilityMode: 'always' },
    { id: 'sub_category', label: 'Kind', enabled: false, order: 3, visibilityMode: 'when_parent_has_value' },
  ],
};

/** `id`, what it is called, its first and last day from now, and what it adds or sets. */
function rewards(past: Past): UpdateMonetizationInput {
  const day = (days: number) => iso(past.now + days * DAY).slice(0, 10);
  const common = { maxCashbackPerOrder: 10, enabled: true };
  return {
    bonus: { maxPercentage: 30, mutualExclusivityWithPromocode: true },
    referral: { referralJoinBonus: 2, referrerOrderBonus: 5, referrerBonusFrequency: 'once' },
    cashback: {
      enabled: true,
      description: 'A part of every order comes back as bonus when it is delivered.',
      levels: [
        { minOrders: 0, maxOrders: 2, cashbackPercentage: 3, levelName: 'New' },
        { minOrders: 3, maxOrders: 9, cashbackPercentage: 5, levelName: 'Regular' },
        { minOrders: 10, maxOrders: null, cashbackPercentage: 8, levelName: 'Gold' },
      ],
      categoryRates: [{ categoryKey: 'mugs', cashbackPercentage: 7 }],
      promotions: [
        {
          ...{ ...common, id: 'autumn', label: 'Autumn weeks', startsAt: day(-50), endsAt: day(-36) },
          ...{ mode: 'override', cashbackPercentage: 12 },
        },
        {
          ...{ ...common, id: 'birthday', label: 'The shop has its birthday', startsAt: day(-6) },
          ...{ endsAt: day(8), mode: 'add', cashbackPercentage: 3 },
        },
        {
          ...{ ...common, id: 'winter', label: 'Winter weeks', startsAt: day(30), endsAt: null },
          ...{ mode: 'add', cashbackPercentage: 2, enabled: false },
        },
      ],
      maxCashbackPerOrder: 25,
      cashbackTrigger: 'on_status',
      cashbackTriggerStatus: 'DELIVERED',
    },
  };
}

/** Payment providers with secrets that are clearly not real. */
const PROVIDERS: CreatePaymentProviderInput[] = [
  {
    providerName: 'card',
    providerToken: '100000001:TEST:not-a-real-token',
    ...{ isTestMode: true, isActive: true, supportedCurrencies: ['USD', 'EUR'] },
  },
  {
    providerName: 'crypto',
    providerToken: '',
    ...{ isTestMode: true, isActive: false, supportedCurrencies: ['USD'] },
    metadata: { apiKey: 'not-a-real-key', ipnSecret: 'not-a-real-secret' },
  },
];

/** Promocodes. The history uses up the first one, the third has expired, and the last one is disabled. */
const codes = (past: Past): CreatePromocodeInput[] => [
  { code: 'WELCOME5', discountType: 'FIXED_AMOUNT', discountValue: 5, maxUses: 9 },
  { code: 'SPRING10', discountType: 'PERCENTAGE', discountValue: 10 },
  {
    ...{ code: 'SUMMER20', discountType: 'PERCENTAGE', discountValue: 20 },
    ...{ expiresAt: iso(past.ago(30 * DAY)), maxUses: 50 },
  },
  {
    ...{ code: 'FLASH15', discountType: 'PERCENTAGE', discountValue: 15 },
    ...{ expiresAt: iso(past.now + 5 * DAY), maxUses: 100 },
  },
  { code: 'OLDFRIENDS', discountType: 'FIXED_AMOUNT', discountValue: 8, isActive: false },
];

/** Title, slug, first and last day from now, status, bonus of the winner. */
const CONTESTS = [
  ['Photo of your mug', 'photo-of-your-mug', -88, -74, 'ENDED', 25],
  ['Guess the pattern', 'guess-the-pattern', -60, -50, 'CANCELLED', 10],
  ['Autumn raffle', 'autumn-raffle', -45, -31, 'ENDED', 50],
  ['Name our next hoodie', 'name-our-next-hoodie', -5, 9, 'ACTIVE', 30],
  ['Winter raffle', 'winter-raffle', 20, 34, 'DRAFT', 50],
] as const;

/** Sets up checkout, rewards, payment providers, promocodes and texts before the first shopper comes. */
export async function configure(past: Past, app: Services): Promise<void> {
  let at = past.ago(98 * DAY);
  const set = (operation: string, input: object, work: (ctx: StoreContext) => Promise<unknown>) =>
    past.call((at += HOUR), operation, input, work);
  const blocks = rewards(past);
  await set('update_general', SETTINGS, (ctx) => app.get(Settings).updateGeneral(ctx, SETTINGS));
  await set('update_welcome_message', WELCOME, (ctx) => app.get(BotMessages).update(ctx, 'welcome', WELCOME));
  await set('update_invoice_field_config', INVOICE_FIELDS, (ctx) =>
    app.get(InvoiceFields).update(ctx, INVOICE_FIELDS),
  );
  await set('update_checkout', CHECKOUT, (ctx) => app.get(CheckoutConfiguration).update(ctx, CHECKOUT));
  await set('update_monetization', blocks, (ctx) => app.get(MonetizationService).update(ctx, blocks));
  for (const input of PROVIDERS)
    await set('create_payment_provider', input, (ctx) => app.get(PaymentProviders).create(ctx, input));
  for (const input of codes(past))
    await set('create_promocode', input, (ctx) => app.get(PromocodesService).create(ctx, input));
  for (const [i, [title, slug, first, last, status, bonusReward]] of CONTESTS.entries()) {
    const input: CreateContestInput = {
      ...{ title, slug, status, bonusReward, buttonText: 'Take part', maxParticipants: 200 },
      startDate: iso(past.now + first * DAY),
      endDate: iso(past.now + last * DAY),
      description: 'One entry for each shopper.',
      prizeDescription: `Bonus of ${bonusReward} for the winner.`,
    };
    const made = past.now + Math.min(first - 3, -1) * DAY + i * HOUR;
    past.planCall(made, 'create_contest', input, (ctx) => app.get(ContestsService).create(ctx, input));
  }
}
