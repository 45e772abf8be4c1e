import { Injectable } from '@nestjs/common';
import { MAX_MINOR, bonusDecimals, hasAtMostDecimals, toMajor, toMinor } from '../../../platform/money.js';
import { invalidInput } from '../../../platform/errors.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { CheckoutConfiguration } from '../../checkout/checkout-configuration.service.js';
import { adjustmentsByField } from '../../checkout/checkout-adjustments.js';
import { type CheckoutField, evaluateCheckout } from '../../checkout/checkout-rules.js';
import type { KnownShopper } from '../../customers/first-contact.service.js';
import { BonusLedger } from '../../customers/bonus-ledger.service.js';
import { InvoiceFields } from '../../invoice-fields/invoice-fields.service.js';
import { maxSpendable } from '../../monetization/bonus-spending.js';
import { MonetizationService } from '../../monetization/monetization.service.js';
import { PaymentProviders } from '../../payment-providers/payment-providers.service.js';
import { type AppliedPromocode, PromocodeUse } from '../../promocodes/promocode-use.service.js';
import { compose, type Composition, goodsOf } from '../order/composition.js';
import type { PricedLine } from '../order/order-lines.js';
import type { PlaceOrderInput } from './place-order.dto.js';

/** The parts of an order's total. All amounts are in minor units of the store's currency. */
export interface OrderPrice {
  /** The sum of the lines. */
  subtotal: bigint;
  /** The subtotal with the adjustment, never below 0. */
  adjusted: bigint;
  promocode: AppliedPromocode | null;
  /** The part paid with bonus. */
  bonus: bigint;
  /** The most of it that could be paid with bonus. */
  mostBonus: bigint;
  tip: bigint;
  /** The amount that the shopper pays, including the tip. */
  total: bigint;
  /** What each line and each adjustment of the form comes to. */
  parts: Composition;
}

/** The checkout form for an order, and how the order will be paid. */
export interface OrderForm {
  fields: CheckoutField[];
  /** Whether orders are paid in the messenger, so that one that costs nothing is paid at once. */
  isNative: boolean;
  /** Whether the order waits for a payment in the messenger, through the provider of its payment method. */
  awaitsPayment: boolean;
}

/** The only place that prices orders, in the order of steps that docs/ordering.md gives. */
@Injectable()
export class OrderPricing {
  constructor(
    private readonly checkout: CheckoutConfiguration,
    private readonly promocodes: PromocodeUse,
    private readonly monetization: MonetizationService,
    private readonly ledger: BonusLedger,
    private readonly invoiceFields: InvoiceFields,
    private readonly providers: PaymentProviders,
  ) {}

  /**
   * Checks that the store accepts the payment method and the tip, and returns the checkout form for the
   * order. If it is requested together with the cart, it costs no extra round trip for a store that accepts
   * any payment method, unless a tip is given.
   * @throws OperationError invalid_input naming paymentMethod or tipAmount
   */
  async form(ctx: StoreContext, { paymentMethod, tipAmount }: PlaceOrderInput): Promise<OrderForm> {
    const [{ mode, fields }] = await Promise.all([
      this.checkout.current(ctx),
      tipAmount ? this.checkTip(ctx, tipAmount) : null,
    ]);
    const isNative = mode === 'native_payments';
    const takesInvoices = mode !== 'manual' && (await this.checkPaymentMethod(ctx, paymentMethod, isNative));
    return { fields, isNative, awaitsPayment: isNative && takesInvoices };
  }

  private async checkTip(ctx: StoreContext, tipAmount: number): Promise<void> {
    const { maxTipAmount } = await this.invoiceFields.get(ctx);
    const tooMuch = (message: string) =>
      invalidInput(`tipAmount ${message}`).about('tip_too_much', { most: maxTipAmount ?? 0 });
    if (maxTipAmount === null) throw tooMuch('must not be given: this store takes no tips');
    if (tipAmount > maxTipAmount) throw tooMuch(`must be at most ${maxTipAmount}`);
  }

  /** @returns whether invoices of the messenger can be paid through it */
  private async checkPaymentMethod(
    ctx: StoreContext,
    paymentMethod: string,
    isNative: boolean,
  ): Promise<boolean> {
    const active = await this.providers.activeNames(ctx);
    const chosen = active.find(({ name }) => name === paymentMethod);
    // The kinds of mode crypto have currencies of their own.
    if (chosen && isNative && !chosen.canPay) {
      const why = chosen.takesCurrency ? 'it has no token' : `it does not take ${ctx.currency}`;
      const refusal = invalidInput(`paymentMethod ${paymentMethod} cannot be paid: ${why}`);
      throw chosen.takesCurrency
        ? refusal.about('method_unknown', { withoutToken: paymentMethod })
        : refusal.about('method_currency', { method: paymentMethod });
    }
    if (chosen) return chosen.takesInvoices;
    const names = active.filter(({ canPay }) => canPay || !isNative).map(({ name }) => name);
    if (names.length > 0)
      throw invalidInput(`paymentMethod must be one of ${names.join(', ')}`).about('method_unknown');
    const none = 'paymentMethod must be an active payment provider, and this store has none';
    throw invalidInput(none).about('no_orders_yet');
  }

  /**
   * Prices the lines, then applies the form's conditions, the promocode, the bonus and the tip. Counts the
   * promocode's use.
   * @param customer the customer's row must be locked by the transaction, so that the balance cannot change
   * @param isQuote whether answers that the form requires may still be missing; nothing is locked or counted
   * @throws OperationError invalid_input naming checkoutData, promocode, bonusToSpend, items or expectedTotal
   */
  async price(
    ctx: StoreContext,
    lines: PricedLine[],
    { fields }: OrderForm,
    input: PlaceOrderInput,
    customer: KnownShopper,
    isQuote = false,
  ): Promise<OrderPrice> {
    const { adjustments, problems } = evaluateCheckout(fields, input.checkoutData ?? [], input);
    const wrong = problems.filter(({ isMissing }) => !(isQuote && isMissing));
    if (wrong.length > 0) {
      const message = wrong.map(({ path, message }) => `${path} ${message}`).join('; ');
      const [{ path, fieldId, problem }] = wrong;
      throw invalidInput(message).about(problem, { path, ...(fieldId !== undefined && { fieldId }) });
    }
    const asked = adjustmentsByField(adjustments, fields, ctx.currency);
    const { subtotal, gross, adjusted } = goodsOf(lines, asked);
    if (gross > MAX_MINOR)
      throw invalidInput('items come to more than an order can hold').about('order_too_large');
    const promocode = input.promocode
      ? await this.promocodes.apply(ctx, input.promocode, adjusted, isQuote)
      : null;
    const discounted = adjusted - (promocode?.discountMinor ?? 0n);
    const { bonus, mostBonus } = await this.bonus(ctx, discounted, input, customer);
    const tip = BigInt(input.tipAmount ?? 0);
    const total = discounted - bonus + tip;
    if (total > MAX_MINOR)
      throw invalidInput('items come to more than an order can hold').about('order_too_large');
    if (typeof input.expectedTotal === 'number' && BigInt(input.expectedTotal) !== total && !isQuote)
      throw invalidInput(`expectedTotal is not what the order costs now, which is ${total}`).about(
        'price_changed',
        { total: Number(total) },
      );
    const parts = compose(lines, asked, { promocode: promocode?.discountMinor ?? 0n, bonus });
    return { subtotal, adjusted, promocode, bonus, mostBonus, tip, total, parts };
  }

  /** Debits the customer with the bonus that the order's price contains. */
  async spendBonus(
    ctx: StoreContext,
    { bonus }: OrderPrice,
    orderId: string,
    customerId: string,
  ): Promise<void> {
    if (bonus === 0n) return;
    await this.ledger.post(ctx, {
      customerId,
      delta: `-${toMajor(bonus, ctx.currency)}`,
      kind: 'spend',
      orderId,
    });
  }

  /** @param payable the amount that bonus may pay a share of, in minor units */
  private async bonus(
    ctx: StoreContext,
    payable: bigint,
    { bonusToSpend, promocode }: PlaceOrderInput,
    { bonusBalance }: KnownShopper,
  ): Promise<{ bonus: bigint; mostBonus: bigint }> {
    const { bonus: block } = await this.monetization.get(ctx);
    const mostBonus = maxSpendable(payable, bonusBalance, block, Boolean(promocode), ctx.currency);
    if (!bonusToSpend) return { bonus: 0n, mostBonus };
    const decimals = bonusDecimals(ctx.currency);
    if (!hasAtMostDecimals(bonusToSpend, decimals)) {
      throw invalidInput(`bonusToSpend must have at most ${decimals} decimals`).about('decimals', {
        path: 'bonusToSpend',
        decimals,
      });
    }
    if (promocode && block.mutualExclusivityWithPromocode) {
      throw invalidInput(
        'bonusToSpend must not be given with a promocode: this store takes one or the other',
      ).about('promocode_or_bonus');
    }
    const wanted = toMinor(bonusToSpend, ctx.currency);
    if (wanted <= mostBonus) return { bonus: wanted, mostBonus };
    const most = toMajor(mostBonus, ctx.currency);
    throw invalidInput(
      `bonusToSpend must be at most ${most}: the balance is ${bonusBalance}, and bonus pays at most ` +
        `${block.maxPercentage} % of an order`,
    ).about('bonus_too_much', { most: Number(most) });
  }
}

/** The steps that changed the price, as the changes of an audit row. */
export function priceSteps({
  subtotal,
  adjusted,
  promocode,
  bonus,
  tip,
  total,
}: OrderPrice): Record<string, [unknown, unknown]> {
  const steps = {
    items: Number(subtotal),
    checkoutAdjustment: Number(adjusted - subtotal),
    promocode: promocode?.code ?? 0,
    promocodeDiscount: Number(promocode?.discountMinor ?? 0n),
    bonus: Number(bonus),
    tip: Number(tip),
    total: Number(total),
  };
  return Object.fromEntries(
    Object.entries(steps).flatMap(([name, value]) =>
      value === 0 ? [] : [[name, [null, value] as [unknown, unknown]]],
    ),
  );
}
