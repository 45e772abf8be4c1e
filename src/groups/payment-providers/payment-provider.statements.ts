import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { AGREEMENT, PaymentProvider } from './payment-provider.entity.js';

/** All providers, newest first, because the specification gives this list no pages. */
export const LIST_PROVIDERS = statement(
  'list_payment_providers',
  `select ${columns(PaymentProvider, 'p')}
   from payment_providers p where p.store_id = $store order by p.id desc`,
  { row: as<{ metadata: Record<string, unknown> | null }>() },
);

/** One call at a time adds providers to a store, until its transaction ends, because they are counted. */
export const LOCK_PROVIDERS = statement(
  'lock_payment_providers',
  `select pg_advisory_xact_lock(hashtextextended('payment_providers:' || $store::text, 0))`,
);

export const COUNT_PROVIDERS = statement(
  'count_payment_providers',
  `select count(*)::int as "count!" from payment_providers p where p.store_id = $store`,
);

/** SQL of whether a provider is agreed on outside the messenger, such as cash on delivery. */
export const isAgreement = (provider: string) =>
  `coalesce(${provider}.metadata->>'kind' = '${AGREEMENT}', false)`;
const IS_AGREEMENT = isAgreement('p');

/** SQL of whether invoices of the messenger can be paid through provider `p`, in this currency. */
const takesInvoices = (
  currency: string,
) => `(not ${IS_AGREEMENT} and ${currency} = any(p.supported_currencies)
    and (${currency} = 'XTR' or p.sealed_token is not null))`;

/** SQL of whether an order of a store in mode native_payments can be paid through provider `p`. */
export const canPay = (currency: string) => `(${currency} = any(p.supported_currencies)
    and (${IS_AGREEMENT} or ${takesInvoices(currency)}))`;

export const LIST_ACTIVE_NAMES = statement(
  'list_active_provider_names',
  `select p.provider_name as name, bool_or(${takesInvoices('$currency')}) as "takesInvoices!",
     bool_or(${canPay('$currency')}) as "canPay!",
     bool_or($currency = any(p.supported_currencies)) as "takesCurrency!"
   from payment_providers p where p.store_id = $store and p.is_active group by 1 order by 1`,
);

/** The providers in test mode through which shoppers can pay, if there is a bot by which they come. */
export const LIST_TEST_MODE = statement(
  'list_test_mode_providers',
  `select distinct p.provider_name as name from payment_providers p
   join bots b on b.store_id = p.store_id join checkout_configurations c on c.store_id = p.store_id
   where p.store_id = $store and p.is_active and p.is_test_mode and not ${IS_AGREEMENT}
     and (c.mode = 'crypto' or c.mode = 'native_payments' and ${canPay('$currency')}) order by 1`,
);

/** The price of the newest product. */
export const NEWEST_PRICE = statement(
  'newest_price',
  `select p.price::text as "price!" from products p where p.store_id = $store order by p.id desc limit 1`,
);

/** What the warnings about a provider go by. */
export const FIND_NATIVE = statement(
  'find_native_payments',
  `select coalesce(c.mode = 'native_payments', false) as "isNative!", exists (
     select from payment_providers p where p.store_id = $store and p.id <> $id and p.is_active
       and not p.is_test_mode and p.provider_name = $providerName) as "hasNamesake!"
   from (values (1)) one left join checkout_configurations c on c.store_id = $store`,
);
