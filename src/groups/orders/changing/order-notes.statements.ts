import { columns } from '../../../platform/database/columns.js';
import { statement } from '../../../platform/database/statement.js';

/**
 * $2 order, $3 note id, $4 text, $5 to $7 name, kind and id of the author, $8 now. Returns no row if the
 * order does not exist.
 */
export const ADD_NOTE = statement(
  'add_order_note',
  `with o as (select store_id, id, updated_at from orders where store_id = $1 and id = $2 for share), note as (
     insert into order_notes (store_id, order_id, id, text, author, author_kind, author_id, created_at)
     select o.store_id, o.id, $3, $4, $5, $6, $7, $8 from o
     returning id, text, author, created_at as "createdAt"
   ) select note.*, o.updated_at as order_updated_at from note, o`,
);

/** $2 order, $3 note. */
export const LOCK_NOTE = statement(
  'lock_order_note',
  `select ${columns(['text', 'authorKind', 'authorId', 'createdAt'], 'n')} from order_notes n
   where n.store_id = $1 and n.order_id = $2 and n.id = $3 for update`,
);

export const DELETE_NOTE = statement(
  'delete_order_note',
  `delete from order_notes where store_id = $1 and order_id = $2 and id = $3`,
);

export const LIST_NOTES = statement(
  'list_order_notes',
  `select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
   where n.store_id = $1 and n.order_id = $2 order by n.id`,
);

/**
 * Newest first. $2 order, $3 the note to stay below, $4 the number of rows. An order without notes gives one
 * row with a null id.
 */
export const PAGE_OF_NOTES = statement(
  'page_of_order_notes',
  `select n.* from orders o left join lateral (
     select n.id, n.text, n.author, n.created_at as "createdAt" from order_notes n
     where n.store_id = o.store_id and n.order_id = o.id and n.id < $3::uuid order by n.id desc limit $4
   ) n on true where o.store_id = $1 and o.id = $2 order by n.id desc`,
);
