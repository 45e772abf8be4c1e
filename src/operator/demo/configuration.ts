import type { BotMessages } from '../../groups/bot/bot-messages.service.js';
import type { CheckoutConfiguration } from '../../groups/checkout/checkout-configuration.service.js';
import type { UpdateCheckoutInput } from '../../groups/checkout/checkout.dto.js';
import type { Contest } from '../../groups/contests/contest.entity.js';
import type { ContestsService } from '../../groups/contests/contests.service.js';
import type { InvoiceFields } from '../../groups/invoice-fields/invoice-fields.service.js';
import type { UpdateMonetizationInput } from '../../groups/monetization/monetization.dto.js';
import type { MonetizationService } from '../../groups/monetization/monetization.service.js';
import type { CreatePaymentProviderInput } from '../../groups/payment-providers/payment-providers.dto.js';
import type { PaymentProviders } from '../../groups/payment-providers/payment-providers.service.js';
import type { Promocode } from '../../groups/promocodes/promocode.entity.js';
import type { CreatePromocodeInput } from '../../groups/promocodes/promocodes.dto.js';
import type { PromocodesService } from '../../groups/promocodes/promocodes.service.js';
import type { Settings } from '../../groups/settings/settings.service.js';
import { DAY, dayOf, HOUR, iso, type Past } from './past.js';

interface ConfigurationServices {
  botMessages: BotMessages;
  checkout: CheckoutConfiguration;
  contests: ContestsService;
  invoiceFields: InvoiceFields;
  monetization: MonetizationService;
  promocodes: PromocodesService;
  providers: PaymentProviders;
  settings: Settings;
}

/** The configuration of the shop, which determines its history. */
export interface Configuration {
  checkout: Required<Pick<UpdateCheckoutInput, 'fields'>>;
  monetization: Required<UpdateMonetizationInput>;
  promocodes: Promocode[];
  contests: Contest[];
}

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

/**
 * No field is required by default, because the orders in the documentation's examples do not have answers.
 */
const CHECKOUT: Configuration['checkout'] & UpdateCheckoutInput = {
  mode: 'manual',
  fields: [
    {
      id: 'delivery',
      label: 'Delivery',
      type: 'select',
      required: false,
      defaultVisible: true,
      options: 'Pickup, Courier, Post',
    },
    {
      id: 'address',
      label: 'Address',
      type: 'textarea',
      required: false,
      defaultVisible: false,
      placeholder: 'Street, house, city',
      conditions: [
        { dependsOn: 'delivery', operator: 'equals', value: 'Courier', action: 'show' },
        { dependsOn: 'delivery', operator: 'equals', value: 'Courier', action: 'require' },
        {
          dependsOn: 'delivery',
          operator: 'equals',
          value: 'Courier',
          action: 'increase_price',
          priceAdjustment: { operator: 'add', value: 4.9 },
        },
      ],
    },
    {
      id: 'comment',
      label: 'Comment',
      type: 'text',
      required: false,
      defaultVisible: true,
      placeholder: 'Anything we should know?',
    },
    { id: 'code', label: 'Promocode', type: 'promocode_input', required: false, defaultVisible: true },
    { id: 'bonus', label: 'Pay with bonus', type: 'bonus_toggle', required: false, defaultVisible: true },
  ],
  filters: [
    { id: 'category', label: 'Category', enabled: true, order: 1, visibilityMode: 'always' },
    { id: 'brand', label: 'Brand', enabled: true, order: 2, visibilityMode: 'always' },
    { id: 'sub_category', label: 'Kind', enabled: false, order: 3, visibilityMode: 'when_parent_has_value' },
  ],
};

const rewards = (past: Past): Configuration['monetization'] => ({
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
      promotion(
        'autumn',
        'Autumn weeks',
        dayOf(past.ago(50 * DAY)),
        dayOf(past.ago(36 * DAY)),
        'override',
        12,
      ),
      promotion(
        'birthday',
        'The shop has its birthday',
        dayOf(past.ago(6 * DAY)),
        dayOf(past.now + 8 * DAY),
        'add',
        3,
      ),
      { ...promotion('winter', 'Winter weeks', dayOf(past.now + 30 * DAY), null, 'add', 2), enabled: false },
    ],
    maxCashbackPerOrder: 25,
    cashbackTrigger: 'on_status',
    cashbackTriggerStatus: 'DELIVERED',
  },
});

function promotion(
  id: string,
  label: string,
  startsAt: string,
  endsAt: string | null,
  mode: 'add' | 'override',
  cashbackPercentage: number,
) {
  return { id, label, startsAt, endsAt, mode, cashbackPercentage, maxCashbackPerOrder: 10, enabled: true };
}

/** Payment providers with secrets that are clearly not real. */
const PROVIDERS: CreatePaymentProviderInput[] = [
  {
    providerName: 'card',
    providerToken: '100000001:TEST:not-a-real-token',
    isTestMode: true,
    isActive: true,
    supportedCurrencies: ['USD', 'EUR'],
  },
  {
    providerName: 'crypto',
    providerToken: '',
    isTestMode: true,
    isActive: false,
    supportedCurrencies: ['USD'],
    metadata: { apiKey: 'not-a-real-key', ipnSecret: 'not-a-real-secret' },
  },
];

/** Promocodes. The history uses up the first one, the third has expired, and the last one is disabled. */
const codes = (past: Past): CreatePromocodeInput[] => [
  { code: 'WELCOME5', discountType: 'FIXED_AMOUNT', discountValue: 5, maxUses: 9 },
  { code: 'SPRING10', discountType: 'PERCENTAGE', discountValue: 10 },
  {
    code: 'SUMMER20',
    discountType: 'PERCENTAGE',
    discountValue: 20,
    expiresAt: iso(past.ago(30 * DAY)),
    maxUses: 50,
  },
  {
    code: 'FLASH15',
    discountType: 'PERCENTAGE',
    discountValue: 15,
    expiresAt: iso(past.now + 5 * DAY),
    maxUses: 100,
  },
  { code: 'OLDFRIENDS', discountType: 'FIXED_AMOUNT', discountValue: 8, isActive: false },
];

const contestsOf = (past: Past) =>
  [
    ['Photo of your mug', 'photo-of-your-mug', -88, -74, 'ENDED', 25],
    ['Guess the pattern', 'guess-the-pattern', -60, -50, 'CANCELLED', 10],
    ['Autumn raffle', 'autumn-raffle', -45, -31, 'ENDED', 50],
    ['Name our next hoodie', 'name-our-next-hoodie', -5, 9, 'ACTIVE', 30],
    ['Winter raffle', 'winter-raffle', 20, 34, 'DRAFT', 50],
  ].map(([title, slug, start, end, status, bonusReward]) => ({
    title: title as string,
    slug: slug as string,
    startDate: iso(past.now + Number(start) * DAY),
    endDate: iso(past.now + Number(end) * DAY),
    status: status as Contest['status'],
    bonusReward: Number(bonusReward),
    buttonText: 'Take part',
    description: 'One entry for each shopper.',
    prizeDescription: `Bonus of ${bonusReward} for the winner.`,
    maxParticipants: 200,
  }));

/**
 * Sets up checkout, rewards, payment providers, promocodes, contests and texts, at times before the first
 * shopper came.
 */
export async function configure(past: Past, services: ConfigurationServices): Promise<Configuration> {
  const { botMessages, checkout, contests, invoiceFields, monetization, promocodes, providers, settings } =
    services;
  const begun = past.ago(98 * DAY);
  const blocks = rewards(past);
  await past.run(begun, 'update_general', SETTINGS, (ctx) => settings.updateGeneral(ctx, SETTINGS));
  await past.run(begun + HOUR, 'update_welcome_message', WELCOME, (ctx) =>
    botMessages.update(ctx, 'welcome', WELCOME),
  );
  await past.run(begun + 2 * HOUR, 'update_invoice_field_config', INVOICE_FIELDS, (ctx) =>
    invoiceFields.update(ctx, INVOICE_FIELDS),
  );
  await past.run(begun + 3 * HOUR, 'update_checkout', CHECKOUT, (ctx) => checkout.update(ctx, CHECKOUT));
  await past.run(begun + 4 * HOUR, 'update_monetization', blocks, (ctx) => monetization.update(ctx, blocks));
  for (const [i, input] of PROVIDERS.entries()) {
    await past.run(begun + (5 + i) * HOUR, 'create_payment_provider', input, (ctx) =>
      providers.create(ctx, input),
    );
  }
  const madeCodes: Promocode[] = [];
  for (const [i, input] of codes(past).entries()) {
    const at = begun + DAY + i * HOUR;
    madeCodes.push(await past.run(at, 'create_promocode', input, (ctx) => promocodes.create(ctx, input)));
  }
  const madeContests: Contest[] = [];
  for (const [i, input] of contestsOf(past).entries()) {
    const at = Math.min(Date.parse(input.startDate) - 3 * DAY, past.ago(DAY)) + i * HOUR;
    madeContests.push(await past.run(at, 'create_contest', input, (ctx) => contests.create(ctx, input)));
  }
  return { checkout: CHECKOUT, monetization: blocks, promocodes: madeCodes, contests: madeContests };
}
