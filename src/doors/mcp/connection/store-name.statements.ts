import { statement } from '../../../platform/database/statement.js';

export const STORE_NAME = statement(
  'get_shown_store_name',
  `select coalesce(g.name, s.name) as "name!"
   from stores s left join store_settings g on g.store_id = s.id where s.id = $store`,
);
