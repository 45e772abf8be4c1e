import { systemStatement } from '../../platform/database/statement.js';

export const RENEW_EPOCH = systemStatement('renew_event_epoch', 'select renew_order_event_epoch()');

export const TEND_EVENTS = systemStatement(
  'tend_events',
  'select tend_order_events(make_interval(secs => $droppedMs::float8 / 1000))',
);

/**
 * Deletes from the default partition the events whose deliveries outlived their month and are gone by now.
 */
export const PURGE_EVENTS = systemStatement(
  'purge_events',
  `delete from order_events_default where ctid = any(array(
     select e.ctid from order_events_default e
     where e.created_at < shop_now() - $droppedMs::float8 * interval '1 millisecond'
       and not exists (select from webhook_deliveries d where d.store_id = e.store_id and d.id = e.id)
     limit $take for update skip locked
   )) returning id`,
);
