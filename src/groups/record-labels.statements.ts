import { as, statement } from '../platform/database/statement.js';

const NAMES = {
  product: ['products', 'r.title'],
  variant: [
    'variants',
    `(select p.title from products p where p.store_id = r.store_id and p.id = r.product_id) || ', ' ||
      r.option_title || ' ' || r.variant_value`,
  ],
  category: ['categories', 'r.name'],
  brand: ['brands', 'r.name'],
  promocode: ['promocodes', 'r.code'],
  contest: ['contests', 'r.title'],
  campaign: ['campaigns', 'r.name'],
  payment_provider: ['payment_providers', 'r.provider_name'],
  saved_view: ['saved_views', 'r.name'],
  token: ['api_tokens', 'r.name'],
};

/** The names of records by their targets, such as `brand:<id>`. One that does not exist is left out. */
export const NAMES_OF_RECORDS = statement(
  'names_of_records',
  `${Object.entries(NAMES)
    .map(
      ([kind, [table, name]]) =>
        `select '${kind}:' || r.id as target, ${name} as name from ${table} r
         where r.store_id = $store and r.id = any($ids::uuid[])`,
    )
    .join(' union all ')}
   union all select 'customer:' || c.id,
     coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username)
   from customers c where c.store_id = $store and c.id = any($customerIds::bigint[])`,
  { row: as<{ target: string; name: string | null }>() },
);

/** Orders with what people know them by. */
export const LABELS_OF_ORDERS = statement(
  'labels_of_orders',
  `select o.id, o.total_price as total, o.currency,
     coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username) as customer
   from orders o left join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
   where o.store_id = $store and o.id = any($orderIds::bigint[])`,
  { row: as<{ total: string; customer: string | null }>() },
);
