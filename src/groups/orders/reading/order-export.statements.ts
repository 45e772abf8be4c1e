import { columns } from '../../../platform/database/columns.js';
import { as, statement } from '../../../platform/database/statement.js';
import type { StoredPricing } from '../placing/stored-pricing.js';
import { ExportedOrder } from './order-export.dto.js';

/** The columns that come from other tables, or that are converted. */
const EXPORTED: (keyof ExportedOrder)[] = [
  ...(['customerId', 'customerName', 'username', 'items', 'itemCount'] as const),
  ...(['goods', 'adjustments', 'promocode', 'promocodeDiscount', 'bonus', 'refunded'] as const),
  ...(['recipient', 'phone', 'email', 'address', 'checkout'] as const),
];

/**
 * The orders with these ids, in that order. The contents of shoppers' forms are free, so they are exported
 * as text.
 */
export const EXPORT_ORDERS = statement(
  'export_orders',
  `select ${columns(ExportedOrder, 'o', EXPORTED)},
     o.messenger_user_id::text as "customerId!", nullif(concat_ws(' ', c.first_name, c.last_name), '')
     as "customerName",
     c.username, l."itemCount", o.pricing, l.goods as "goods!", (
       select coalesce(sum(r.amount), 0)::text from order_refunds r
       where r.store_id = $store and r.order_id = o.id) as "refunded!",
     s.address->>'name' as recipient, s.address->>'email' as email,
     coalesce(nullif(s.address->>'phone_number', ''), (
       select n.phone from order_phones n where n.store_id = $store and n.order_id = o.id
       order by n.nth limit 1)) as phone,
     case json_typeof(s.address->'shipping_address')
       when 'object' then (select string_agg(part.value, ', ')
       from json_each_text(s.address->'shipping_address') part where part.value <> '')
       else s.address->>'shipping_address' end as address,
     case json_typeof(o.checkout_data) when 'array' then (
       select string_agg(concat(answer.value->>'label', ': ', answer.value->>'value'), '; ')
       from json_array_elements(o.checkout_data) answer
         where json_typeof(answer.value) = 'object') end as checkout, l.items as "items!"
   from unnest($ids::bigint[]) with ordinality as asked (id, nth) join orders o on o.store_id = $store
     and o.id = asked.id
   left join customers c on c.store_id = $store and c.id = o.messenger_user_id
   cross join lateral (select case json_typeof(o.shipping_address) when 'object'
   then o.shipping_address end as address) s
   cross join lateral (
     select coalesce(sum(i.quantity), 0)::integer as "itemCount!",
       coalesce(sum(i.price::numeric * i.quantity), 0)::text as goods, coalesce(string_agg(concat(
       case when i.quantity > 1 then i.quantity || 'x ' end, i.title, ' (' || i.variant_value || ')',
       ' (' || i.size || ')'), '; '
       order by i.position), '') as items
     from order_items i where i.store_id = $store and i.order_id = o.id
   ) l order by asked.nth`,
  { row: as<{ pricing: StoredPricing | null }>(), slow: true },
);
