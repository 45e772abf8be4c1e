import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { listStatement } from '../../platform/store/records.js';
import { Promocode } from './promocode.entity.js';

export const LIST_PROMOCODES = listStatement('promocodes', Promocode);

/** $2 and $3 between which the keys lie, byte by byte; $4 how many. */
export const FIND_PROMOCODES = statement(
  'find_promocodes',
  `select ${columns(Promocode, 'c')} from promocodes c where c.store_id = $1 and c.code_key ~>=~ $2 and c.code_key ~<~ $3
   order by c.code_key using ~<~ limit $4`,
);

/** $2 the code the shopper entered, without case. */
export const LOCK_PROMOCODE = statement(
  'lock_promocode',
  `select ${columns(Promocode, 'c')} from promocodes c where c.store_id = $1 and c.code_key = $2 for update`,
);

export const COUNT_PROMOCODE_USE = statement(
  'count_promocode_use',
  `update promocodes set used_count = used_count + 1 where store_id = $1 and id = $2`,
);
