import { statement, systemStatement } from '../../platform/database/statement.js';
import { PICTURE_COLUMNS } from './picture-columns.js';

/** Pictures are added one after the other, so that together they do not exceed what a store may keep. */
export const LOCK_STORE = statement(
  'lock_store_for_picture',
  'select id from stores where id = $store for no key update',
);

/** No row if the store's pictures would take more than `$mostBytes`; nothing is stored then. */
export const INSERT = statement(
  'insert_picture',
  `with small as (
     select s.width, s.type, s.bytes
     from unnest($widths::int[], $smallTypes::text[], $smallBytes::bytea[]) as s (width, type, bytes)
   ), saved as (
     insert into pictures (store_id, id, type, bytes, created_at)
     select $store, $id, $type, $bytes::bytea, $now
     where octet_length($bytes::bytea) + (select coalesce(sum(octet_length(bytes)), 0) from small)
       + (select coalesce(sum(octet_length(bytes)), 0) from pictures where store_id = $store)
       + (select coalesce(sum(octet_length(bytes)), 0) from picture_sizes where store_id = $store)
       <= $mostBytes::bigint
     returning id
   ), beside as (
     insert into picture_sizes (store_id, id, width, type, bytes)
     select $store, saved.id, small.width, small.type, small.bytes from saved, small
   )
   select id from saved`,
);

const PIECE = `type as "type!", octet_length(bytes) as "size!",
  substring(bytes from $from::int for $length::int) as "piece!"`;
/** A part of the original, or of the one in `$width`. `$from` counts from 1. */
export const READ_PIECE = statement(
  'read_picture',
  `select ${PIECE} from pictures where store_id = $store and id = $id and $width?::int is null
   union all
   select ${PIECE} from picture_sizes where store_id = $store and id = $id and width = $width?`,
);

// Statements for the system role, which sees every store.

/** A store that is moved has pictures at both ends before what uses them has arrived. */
export const LIST_STORES = systemStatement(
  'list_stores_with_pictures',
  `select distinct store_id as "storeId" from pictures p
   where not exists (select from stores s where s.id = p.store_id and s.read_only_since is not null)
   order by store_id`,
);

const TEXTS = PICTURE_COLUMNS.map(
  ({ table, column }) => `select ${column}::text as text from ${table} where store_id = $storeId`,
).join(' union all ');

/** `$unusedBefore` is long enough ago that no undo can bring back what used a picture. */
export const DELETE_UNUSED = systemStatement(
  'delete_unused_pictures',
  `delete from pictures where store_id = $storeId and unused_since < $unusedBefore`,
);

/** Notes since when nothing of the store uses a picture. */
export const MARK_UNUSED = systemStatement(
  'mark_unused_pictures',
  `with used as (
     select distinct found[1] as id from (${TEXTS}) as texts,
       regexp_matches(text, $path::text || '([0-9a-f-]{36})', 'g') as found)
   update pictures as p
   set unused_since = case when p.id::text not in (select id from used) then $now::timestamptz end
   where p.store_id = $storeId and (p.unused_since is null) = (p.id::text not in (select id from used))`,
);
