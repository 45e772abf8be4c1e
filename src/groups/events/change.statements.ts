import { statement } from '../../platform/database/statement.js';

/**
 * A page of the feed of changes, after a position in its order; a row without an id if there is none. As in
 * the feed of events, only what no running transaction can still precede is read. A record that changes again
 * gets a later position, also one that the page has told.
 */
export const LIST_CHANGES = statement(
  'list_changes',
  `select order_event_server() as "server!",
     coalesce((select s.former_servers from stores s where s.id = $store), '{}') as "formerServers!",
     c.kind, c.record_id as id, c.product_id as "productId", c.change, c.at, c.epoch, c.xid::text as xid
   from (values (1)) one left join lateral (
     select r.* from unnest($kinds::text[]) k (kind) cross join lateral (
       select r.* from record_changes r where r.store_id = $store and r.kind = k.kind
         and (r.epoch, r.xid, r.record_id) > ($afterEpoch::integer, $afterXid::text::xid8, $afterId::text)
         and r.at >= $since
         and (r.epoch, r.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
       order by r.epoch, r.xid, r.record_id limit $take
     ) r order by r.epoch, r.xid, r.record_id limit $take
   ) c on true order by c.epoch, c.xid, c.record_id`,
);
