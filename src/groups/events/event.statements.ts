import { statement } from '../../platform/database/statement.js';
import { PAGE_BYTES } from '../../platform/schema/pages/page.js';

/**
 * A page of the feed, from the beginning if `$lastId` is null. No row means that the last event is not there.
 * A row without an id means that nothing came after it.
 *
 * Only events that no running transaction can still precede are read: every transaction with a number below
 * the snapshot's xmin has ended, and numbers of an earlier epoch belong to a server that no longer runs. So
 * whatever is committed later comes after everything that has been read.
 */
export const LIST_EVENTS = statement(
  'list_events',
  `select e.id, e.json, e."createdAt", e."rowsRead" from (
     select p.epoch, p.xid, p.id from order_events p where p.store_id = $store and p.id = $lastId?
     union all
     select -2147483648, '0'::xid8, '00000000-0000-0000-0000-000000000000'::uuid where $lastId::uuid is null
   ) last left join lateral (
     select w.id, convert_from(w.body, 'UTF8') as json, w.created_at as "createdAt", w.epoch, w.xid,
       w."rowsRead"
     from (
       select page.*, count(*) over ()::integer as "rowsRead",
         sum(octet_length(page.body)) over (order by page.epoch, page.xid, page.id
           rows between unbounded preceding and 1 preceding) as bytes_before
       from (
         select e.epoch, e.xid, e.id, e.body, e.created_at from order_events e
         where e.store_id = $store and e.id >= order_event_id_at($reachesBackTo) and octet_length(e.body) > 0
           and (e.epoch, e.xid, e.id) > (last.epoch, last.xid, last.id)
           and (e.epoch, e.xid) < (order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
         order by e.epoch, e.xid, e.id limit $take
       ) page
     ) w where coalesce(w.bytes_before, 0) < ${PAGE_BYTES}
   ) e on true order by e.epoch, e.xid, e.id`,
);
