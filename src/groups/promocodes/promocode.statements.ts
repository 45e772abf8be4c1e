import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { newestOf } from '../../platform/store/records.js';
import { Promocode } from './promocode.entity.js';

export const LIST_PROMOCODES = statement('list_promocodes', newestOf('promocodes', Promocode));

const COLUMNS = columns(Promocode, 'c');

/** Keys are compared byte by byte. */
export const FIND_PROMOCODES = statement(
  'find_promocodes',
  `select ${COLUMNS} from promocodes c
   where c.store_id = $store and c.code_key ~>=~ $first and c.code_key ~<~ $end
   order by c.code_key using ~<~ limit $take`,
);

const NAMED = `select ${COLUMNS} from promocodes c where c.store_id = $store and c.code_key = $codeKey`;
export const FIND_PROMOCODE = statement('find_promocode', NAMED);
export const LOCK_PROMOCODE = statement('lock_promocode', `${NAMED} for update`);

export const COUNT_PROMOCODE_USE = statement(
  'count_promocode_use',
  `update promocodes set used_count = used_count + 1 where store_id = $store and id = $promocodeId`,
);

/** Returns no row if the promocode was deleted. */
export const RETURN_PROMOCODE_USE = statement(
  'return_promocode_use',
  `update promocodes set used_count = used_count - 1 where store_id = $store and id = $promocodeId
    and used_count > 0 returning 1`,
);

/** Returns no row if the promocode was deleted or is used up by now. */
export const RETAKE_PROMOCODE_USE = statement(
  'retake_promocode_use',
  `update promocodes set used_count = used_count + 1
   where store_id = $store and id = $promocodeId and (max_uses is null or used_count < max_uses) returning 1`,
);

/** The audit row of the deletion of a promocode that is still deleted. An index leaves rows of orders out. */
export const LOCK_DELETION = statement(
  'lock_promocode_deletion',
  `select id from audit_log where store_id = $store and target = 'promocode:' || $promocodeId::text
     and target not like 'order:%' and operation = 'delete_promocode' and outcome = 'ok' and undone_at is null
   for update`,
);

/**
 * Inserts the promocodes whose codes the store does not have yet, and returns those. They are inserted in the
 * order of their codes, so that two calls with the same codes cannot deadlock.
 */
export const INSERT_PROMOCODES = statement(
  'insert_promocodes',
  `insert into promocodes (store_id, id, code, code_key, discount_type, discount_value, expires_at, max_uses,
     is_active, created_at, updated_at)
   select $store::uuid, id, code, code_key, discount_type, discount_value, expires_at, max_uses, is_active,
     $now::timestamptz, $now::timestamptz
   from json_populate_recordset(null::promocodes, $rows) order by code_key
   on conflict (store_id, code_key) do nothing returning id`,
);
