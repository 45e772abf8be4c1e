import { Injectable } from '@nestjs/common';
import { Messenger, MessengerUnavailable, TokenRefused } from '../../messenger/messenger.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { isCurrency, MAX_MINOR, toMajor, toMinorRoundedDown } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BotCredentials } from '../bot/bot-credentials.service.js';
import { isAgreement, sealPurpose } from './payment-provider.entity.js';
import { LIST_PROVIDERS, NEWEST_PRICE, LIST_TEST_MODE } from './payment-provider.statements.js';
import type { TestedPaymentProvider, TestPayments } from './payment-providers.dto.js';

/** In major units: providers take no smaller payments than about one dollar. */
const LEAST = 100;
const STARS = 'XTR';
/** No order has this payload, so a payment of the invoice would be refused. */
const PAYLOAD = 'test';

/** Tries whether the messenger makes an invoice that is paid through a provider. */
@Injectable()
export class ProviderTest {
  constructor(
    private readonly secrets: SecretBox,
    private readonly bots: BotCredentials,
    private readonly messenger: Messenger,
  ) {}

  /**
   * Makes an invoice that nobody gets, before there is a transaction.
   * @throws OperationError not_found, or invalid_input for a provider without invoices and a store without a
   * bot
   */
  async ask(ctx: StoreContext, id: string): Promise<TestedPaymentProvider> {
    const providers = await ctx.session.read(LIST_PROVIDERS);
    const provider = providers.find((one) => one.id === id.toLowerCase());
    if (!provider) throw notFound('Payment provider', id);
    const currency = currencyOf(provider, ctx.currency);
    const { sealedToken } = provider;
    if (isAgreement(provider) || (currency !== STARS && sealedToken === null))
      throw invalidInput(
        'id names a provider without invoices: the messenger makes them by a token, or for XTR',
      ).about('no_invoices');
    const bot = await this.bots.find(ctx);
    if (!bot)
      throw invalidInput('id needs a connected store bot: connect one with connect_bot first').about(
        'no_bot',
      );
    if (!isCurrency(currency)) return { ok: false, detail: `${currency} is neither ISO 4217 nor XTR` };
    const amount = await this.amountIn(ctx, currency);
    const token = currency === STARS ? '' : this.secrets.open(sealedToken!, sealPurpose(provider.id));
    try {
      await this.messenger.createInvoiceLink(bot.token, testInvoice(token, currency, amount));
      const sum = `${toMajor(amount, currency)} ${currency}`;
      return { ok: true, detail: `the messenger made an invoice of ${sum}, which nobody gets` };
    } catch (error) {
      if (!(error instanceof MessengerUnavailable || error instanceof TokenRefused)) throw error;
      return { ok: false, detail: error.message };
    }
  }

  /** What an order is likely to cost, because providers have bounds of their own in each currency. */
  private async amountIn(ctx: StoreContext, currency: string): Promise<bigint> {
    if (currency === STARS) return 1n;
    const [newest] = currency === ctx.currency ? await ctx.session.read(NEWEST_PRICE) : [];
    const price = toMinorRoundedDown(newest?.price ?? 0, currency);
    const least = toMinorRoundedDown(LEAST, currency);
    return price > least && price <= MAX_MINOR ? price : least;
  }
}

/** The store's own currency, or else the first of the provider's. */
const currencyOf = (
  { supportedCurrencies }: Pick<RowOf<typeof LIST_PROVIDERS>, 'supportedCurrencies'>,
  own: string,
): string => (supportedCurrencies.includes(own) ? own : supportedCurrencies[0]);

const testInvoice = (providerToken: string, currency: string, amount: bigint) => ({
  title: 'Test',
  description: 'A test of the payment provider. It cannot be paid.',
  payload: PAYLOAD,
  providerToken,
  currency,
  prices: [{ label: 'Test', amount: Number(amount) }],
  maxTipAmount: 0,
  suggestedTipAmounts: [],
  needName: false,
  needPhoneNumber: false,
  needEmail: false,
  needShippingAddress: false,
  isFlexible: false,
});

/** By which methods shoppers of a live shop pay without money. */
export async function testPaymentsOf(ctx: StoreContext): Promise<TestPayments> {
  const providers = await ctx.session.read(LIST_TEST_MODE, { currency: ctx.currency });
  return { methods: providers.map(({ name }) => name) };
}
