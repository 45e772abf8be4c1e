import { canPay } from '../payment-providers/payment-provider.statements.js';
import { HEALTH, HEALTH_OF_ENDPOINT } from '../../webhooks/endpoint/webhook-health.js';
import { statement } from '../../platform/database/statement.js';

/**
 * Returns one row with everything the overview shows. Customers and orders are sums that triggers maintain.
 */
export const GET_OVERVIEW = statement(
  'get_store_overview',
  `select coalesce(g.name, s.name) as "name!", s.plan, s.created_at as "createdAt", b.username,
     coalesce(c.mode, 'manual') as "mode!", coalesce(json_array_length(c.fields), 0)::int as "fields!",
     e.url, e.paused_at is not null as "paused!", ${HEALTH},
     (select count(*)::int from payment_providers p
      where p.store_id = $store and p.is_active) as "activeProviders!",
     exists (select from payment_providers p where p.store_id = $store and p.is_active
      and (c.mode <> 'native_payments' or ${canPay('s.currency')})) as "canPay!",
     exists (select from payment_providers p where p.store_id = $store and p.is_active and not p.is_test_mode
      and (c.mode <> 'native_payments' or ${canPay('s.currency')})) as "canPayLive!",
     (select count(*)::int from products p where p.store_id = $store) as "products!",
     (select count(*)::int from products p where p.store_id = $store and p.is_hidden) as "hiddenProducts!",
     (select count(*)::int from categories k where k.store_id = $store) as "categories!",
     (select count(*)::int from brands r where r.store_id = $store) as "brands!",
     (select coalesce(sum(n.total), 0)::int from contact_counts n where n.store_id = $store) as "customers!",
     (select count(*)::int from orders o
      where o.store_id = $store and owed_back(o.status, o.paid, o.returned) > 0) as "paidNotReturned!",
     d.orders as "orders!", d.pending as "pendingOrders!",
     (select count(*)::int from (
        select from webhook_deliveries w
        where w.store_id = $store and w.status = 'pending' limit 1000) w) as "waiting!",
     (select count(*) filter (where w.status = 'failed')::int from (
        select w.status from webhook_deliveries w
        where w.store_id = $store order by w.id desc limit 100) w) as "failed!"
   from stores s left join store_settings g on g.store_id = s.id left join bots b on b.store_id = s.id
     left join checkout_configurations c on c.store_id = s.id
     left join webhook_endpoints e on e.store_id = s.id ${HEALTH_OF_ENDPOINT}
     cross join (
       select
         coalesce(sum(o.pending + o.processing + o.shipped + o.delivered + o.cancelled), 0)::int as orders,
         coalesce(sum(o.pending), 0)::int as pending
       from order_days o where o.store_id = $store
     ) d
   where s.id = $store`,
  { slow: true },
);
