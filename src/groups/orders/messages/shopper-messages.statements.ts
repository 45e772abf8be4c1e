import { statement } from '../../../platform/database/statement.js';

/** Nothing for kinds that are off, for shoppers who get none, and for what was queued or sent before. */
export const QUEUE_MESSAGES = statement(
  'queue_order_messages',
  `insert into order_messages (store_id, id, order_id, kind, outcome, sent_by, created_at)
   select m.store_id, due.id, $orderId, due.kind, 'due', 'system', $now
   from unnest($ids::uuid[], $kinds::text[]) as due (id, kind)
   join bot_messages m on m.store_id = $store and m.kind = due.kind and m.enabled
   where exists (select from bots b where b.store_id = $store)
     and exists (select from customers c where c.store_id = $store and c.id = $customerId
       and not c.is_banned and not c.is_bot_blocked)
   on conflict (store_id, order_id, kind) where kind <> 'shipped' do nothing`,
);

/**
 * The next message of the store that waits, which nobody else takes then. A process that is killed before it
 * notes what became of the message leaves that unknown. One that waited too long, or whose shopper gets none
 * by now, is not to be sent.
 */
export const TAKE_MESSAGE = statement(
  'take_order_message',
  `update order_messages m
   set outcome = case when m.created_at < $since or c.is_banned or c.is_bot_blocked then 'send_failed'
     else 'unknown' end
   from orders o join customers c on c.store_id = o.store_id and c.id = o.messenger_user_id
   where m.store_id = $store and o.store_id = $store and o.id = m.order_id and m.id = (
     select d.id from order_messages d where d.store_id = $store and d.outcome = 'due'
     order by d.id limit 1 for update skip locked
   )
   returning m.id, m.kind, m.order_id::float8 as "orderId!", o.messenger_user_id as "messengerUserId",
     m.outcome = 'unknown' as "isToBeSent!"`,
);

export const NOTE_OUTCOME = statement(
  'note_message_outcome',
  'update order_messages set outcome = $outcome, detail = $detail? where store_id = $store and id = $id',
);
