import { statement } from '../../../platform/database/statement.js';

/**
 * Returns no row if the order does not exist.
 */
export const ADD_NOTE = statement(
  'add_order_note',
  `with o as (select store_id, id, updated_at from orders where store_id = $store
    and id = $orderId for share), note as (
     insert into order_notes (store_id, order_id, id, text, author, author_kind, author_id, created_at)
     select o.store_id, o.id, $id, $note, $author, $authorKind, $authorId?, $createdAt from o
     returning id, text, author, created_at as "createdAt"
   ) select note.*, o.updated_at as order_updated_at from note, o`,
);

export const LIST_NOTES = statement(
  'list_order_notes',
  `select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
   where n.store_id = $store and n.order_id = $orderId order by n.id`,
);

/**
 * Newest first. An order without notes gives one row with a null id.
 */
export const PAGE_OF_NOTES = statement(
  'page_of_order_notes',
  `select n.* from orders o left join lateral (
     select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
     where n.store_id = o.store_id and n.order_id = o.id and n.id < $idBelow::uuid order by n.id desc
     limit $take
   ) n on true where o.store_id = $store and o.id = $orderId order by n.id desc`,
);
