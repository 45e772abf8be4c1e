import { columns } from '../../platform/database/columns.js';
import { as, statement } from '../../platform/database/statement.js';
import { PaymentProvider } from './payment-provider.entity.js';

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

/** Whether a provider `p` can be paid through in the messenger, in the store's currency. */
const TAKES_INVOICES = `$currency = any(p.supported_currencies)
    and ($currency = 'XTR' or p.sealed_token is not null)`;

export const LIST_ACTIVE_NAMES = statement(
  'list_active_provider_names',
  `select p.provider_name as name, bool_or(${TAKES_INVOICES}) as "takesInvoices!" from payment_providers p
   where p.store_id = $store and p.is_active group by 1 order by 1`,
);
