import { statement } from '../platform/database/statement.js';

/** For a store in which nobody is told yet: what was ordered before is not told. */
export const BEGIN_NOTICES = statement(
  'begin_notices',
  `insert into notice_cursors as c (store_id, epoch, xid, id, began_at)
   values ($store, order_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()),
     '00000000-0000-0000-0000-000000000000', $now)
   on conflict (store_id) do update set epoch = excluded.epoch, xid = excluded.xid, id = excluded.id,
     began_at = excluded.began_at
   where not exists (select from notice_chats t where t.store_id = $store and t.chat_id is not null)`,
);
