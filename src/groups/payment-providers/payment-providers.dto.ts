import { OmitOf, UpdateOf } from '../../platform/schema/derived-fields.js';
import { Example } from '../../platform/schema/example.js';
import { Confirm, DateTime, Flag, Identifier, Text } from '../../platform/schema/fields.js';
import { FreeObject, TextList } from '../../platform/schema/list-fields.js';
import { Warnings } from '../../platform/schema/warnings.js';
import { IdInput } from '../../platform/schema/pages/page.dto.js';

const MAX_TOKEN = 2_000;
const MAX_CURRENCIES = 200;
const TOKEN = 'Empty for a provider without one. Stored encrypted, never returned.';
const METADATA =
  'Free keys, at most 16 KiB of JSON. By kind of provider: keyId; or merchantId, clientKey, serverKey; or ' +
  'walletAddress; ' +
  'or apiKey, ipnSecret. Secret values come back masked.';
const METADATA_KEYS = {
  source: { description: 'inline for a provider that a payment_button of the checkout form manages.' },
  kind: { description: 'agreement for cash on delivery and the like: no invoice is made.' },
  label: { description: 'What shoppers read; the name of the provider if there is none.' },
  keyId: { description: 'Of a provider with a key id.' },
  merchantId: { description: 'Of a provider with merchant keys.' },
  clientKey: { description: 'Of a provider with merchant keys. Secret.' },
  serverKey: { description: 'Of a provider with merchant keys. Secret.' },
  walletAddress: { description: 'Of a wallet provider.' },
  apiKey: { description: 'Of a crypto provider. Secret.' },
  ipnSecret: { description: 'Of a crypto provider. Secret.' },
};

@Example({
  providerName: 'merchant',
  providerToken: '',
  isTestMode: true,
  supportedCurrencies: ['USD'],
  metadata: { merchantId: 'M-1029', clientKey: 'client-key', serverKey: 'server-key' },
})
export class CreatePaymentProviderInput {
  @Text({ min: 1 }) providerName: string;
  @Text({ limit: MAX_TOKEN, secret: true, description: TOKEN }) providerToken: string;
  @Flag() isTestMode: boolean;
  @Flag() isActive: boolean;
  @TextList({
    min: 1,
    limit: MAX_CURRENCIES,
    description: 'The currencies that the provider accepts, as ISO 4217 codes; XTR for stars.',
    hint: 'ISO 4217, or XTR.',
  })
  supportedCurrencies: string[];
  @FreeObject({ optional: true, known: METADATA_KEYS, description: METADATA }) metadata?: Record<
    string,
    unknown
  >;
}

@Example({ isTestMode: false })
export class UpdatePaymentProviderInput extends UpdateOf(OmitOf(CreatePaymentProviderInput, 'providerName')) {
  @FreeObject({
    optional: true,
    known: METADATA_KEYS,
    description:
      'An object with free keys that replaces the stored one, at most 16 KiB as JSON. A secret that is ' +
      'sent back masked keeps its value.',
  })
  metadata?: Record<string, unknown>;
}

export class DeletePaymentProviderInput extends IdInput {
  @Confirm({ optional: true }) confirm?: true;
}

@Example({
  providerName: 'merchant',
  hasToken: false,
  supportedCurrencies: ['USD'],
  metadata: { merchantId: 'M-1029', clientKey: '••••-key', serverKey: '••••-key' },
})
export class PaymentProviderRecord {
  @Identifier() id: string;
  @Text() providerName: string;
  @Flag() hasToken: boolean;
  @Text({
    nullable: true,
    description:
      'The last 4 characters of the token; null if there is no token or if it has at most 4 characters.',
  })
  tokenHint: string | null;
  @Flag() isTestMode: boolean;
  @Flag() isActive: boolean;
  @TextList() supportedCurrencies: string[];
  @FreeObject({
    known: METADATA_KEYS,
    description:
      'An object with free keys, empty if there is no metadata. Secret values are shown as •••• and their ' +
      'last 4 characters.',
  })
  metadata: Record<string, unknown>;
  @DateTime() createdAt: Date;
  @DateTime() updatedAt: Date;
}

@Example({ ok: false, detail: 'the messenger answered 400: Bad Request: PAYMENT_PROVIDER_INVALID' })
export class TestedPaymentProvider {
  @Flag({ description: 'Whether the messenger made the invoice.' }) ok: boolean;
  @Text({ description: "The messenger's sentence, if it did not." }) detail: string;
}

@Example({ methods: ['card'] })
export class TestPayments {
  @TextList({ description: 'Active payment methods in test mode; none while the store has no bot.' })
  methods: string[];
}

export class SavedPaymentProvider extends PaymentProviderRecord {
  @Warnings() warnings?: string[];
}
