import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import { Deleted, IdInput, NoInput } from '../../platform/schema/pages/page.dto.js';
import type { Question } from '../../platform/store/question.js';
import { aboutRecord } from '../record-labels.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import {
  CreatePaymentProviderInput,
  DeletePaymentProviderInput,
  PaymentProviderRecord,
  SavedPaymentProvider,
  TestedPaymentProvider,
  UpdatePaymentProviderInput,
} from './payment-providers.dto.js';
import { PROVIDER, PaymentProviders } from './payment-providers.service.js';
import { ProviderTest } from './provider-test.service.js';

const asksToCreate: Question = (_ctx, { providerName }: CreatePaymentProviderInput) =>
  Promise.resolve(`Add the payment provider "${providerName}", by which shoppers pay?`);

const CHANGED: Record<string, string> = {
  providerName: 'its name',
  providerToken: 'its token',
  supportedCurrencies: 'its currencies',
  metadata: 'its metadata',
};

/** Whoever has its token gets the money, so the question names what is changed. */
const asksToChange: Question = async (ctx, input: UpdatePaymentProviderInput) => {
  const { isActive, isTestMode } = input;
  const replaced = Object.keys(CHANGED).filter((name) => Object.hasOwn(input, name));
  const parts = [
    ...(replaced.length > 0 ? [`replace ${replaced.map((name) => CHANGED[name]).join(' and ')}`] : []),
    ...(isActive === undefined ? [] : [`switch it ${isActive ? 'on' : 'off'}`]),
    ...(isTestMode === undefined ? [] : [isTestMode ? 'take test payments' : 'take real payments']),
  ];
  const question = await aboutRecord('Change', PROVIDER)(ctx, input as never);
  return parts.length > 0 ? `${question!.slice(0, -1)}: ${parts.join(', ')}?` : question;
};

@Controller('v1')
export class PaymentProvidersController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly tests: ProviderTest,
  ) {}

  @Operation({
    name: 'list_payment_providers',
    scope: 'read',
    summary: 'List payment providers',
    description: 'List payment providers, newest first. Secrets are masked.',
    input: NoInput,
    output: PaymentProviderRecord,
    list: true,
  })
  list(ctx: StoreContext) {
    return this.providers.list(ctx);
  }

  @Operation({
    name: 'get_payment_provider',
    scope: 'read',
    summary: 'Get a payment provider',
    description: 'Get a payment provider. Secrets are masked.',
    input: IdInput,
    output: PaymentProviderRecord,
  })
  get(ctx: StoreContext, input: IdInput) {
    return this.providers.get(ctx, input.id);
  }

  @Operation({
    name: 'create_payment_provider',
    scope: 'write',
    summary: 'Create a payment provider',
    description:
      'Add a payment provider: cards (token) or Stars (XTR, an empty token). Others use metadata: ' +
      'keyId; merchantId, clientKey, serverKey; walletAddress; apiKey, ipnSecret; kind agreement: cash on ' +
      'delivery.',
    input: CreatePaymentProviderInput,
    output: SavedPaymentProvider,
    additive: true,
    asks: asksToCreate,
  })
  create(ctx: StoreContext, input: CreatePaymentProviderInput) {
    return this.providers.create(ctx, input);
  }

  @Operation({
    name: 'update_payment_provider',
    scope: 'write',
    summary: 'Update a payment provider',
    description:
      'Change a payment provider. Given metadata replaces the stored one; a masked secret keeps its value. ' +
      'For metadata.source inline use update_checkout.',
    input: UpdatePaymentProviderInput,
    output: SavedPaymentProvider,
    idempotent: true,
    ifMatch: true,
    asks: asksToChange,
  })
  update(ctx: StoreContext, input: UpdatePaymentProviderInput) {
    return this.providers.update(ctx, input);
  }

  @Operation({
    name: 'test_payment_provider',
    preview: 'none',
    scope: 'write',
    summary: 'Test a payment provider',
    description: 'Whether the messenger makes an invoice with it, which nobody gets, and what it says.',
    input: IdInput,
    output: TestedPaymentProvider,
    additive: true,
    idempotent: true,
    openWorld: true,
    beyond: true,
    before: 'ask',
  })
  test(ctx: StoreContext, { id }: IdInput, _caller: unknown, asked: TestedPaymentProvider) {
    ctx.audit.target = `payment_provider:${id}`;
    return asked;
  }

  ask(ctx: StoreContext, { id }: IdInput) {
    return this.tests.ask(ctx, id);
  }

  @Operation({
    name: 'delete_payment_provider',
    scope: 'admin',
    summary: 'Delete a payment provider for good',
    description:
      'Permanently delete a payment provider with its secrets. One with metadata.source inline is removed ' +
      'by update_checkout.',
    input: DeletePaymentProviderInput,
    output: Deleted,
    destructive: true,
    confirm: false,
    ifMatch: true,
    asks: aboutRecord('Delete', PROVIDER),
  })
  delete(ctx: StoreContext, input: DeletePaymentProviderInput) {
    return this.providers.delete(ctx, input.id);
  }
}
