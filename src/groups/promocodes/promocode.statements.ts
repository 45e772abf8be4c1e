import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { newestOf } from '../../platform/store/records.js';
import { Promocode } from './promocode.entity.js';

export const LIST_PROMOCODES = statement('list_promocodes', newestOf('promocodes', Promocode));

/** $2 and $3 the bounds of the keys, compared byte by byte; $4 the number of rows. */
export const FIND_PROMOCODES = statement(
  'find_promocodes',
  `select ${columns(Promocode, 'c')} from promocodes c where c.store_id = $1 and c.code_key ~>=~ $2 and c.code_key ~<~ $3
   order by c.code_key using ~<~ limit $4`,
);

/** $2 the code that the shopper entered, case-folded. */
export const LOCK_PROMOCODE = statement(
  'lock_promocode',
  `select ${columns(Promocode, 'c')} from promocodes c where c.store_id = $1 and c.code_key = $2 for update`,
);

export const COUNT_PROMOCODE_USE = statement(
  'count_promocode_use',
  `update promocodes set used_count = used_count + 1 where store_id = $1 and id = $2`,
);
