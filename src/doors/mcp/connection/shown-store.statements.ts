import { statement } from '../../../platform/database/statement.js';

export const SHOWN_STORE = statement(
  'get_shown_store',
  `select coalesce(g.name, s.name) as "name!", s.time_zone as "timeZone"
   from stores s left join store_settings g on g.store_id = s.id where s.id = $store`,
);
