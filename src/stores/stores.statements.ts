import { columns } from '../platform/database/columns.js';
import { statement, systemStatement } from '../platform/database/statement.js';

const COLUMNS = columns(['id', 'name', 'currency', 'plan', 'createdAt'], 's');

// Statements for the system role, which sees every store.

export const INSERT = systemStatement(
  'insert_store',
  `insert into stores as s (id, name, currency, plan, created_at, updated_at)
   values ($id, $name, $currency, $plan, $now, $now) returning ${COLUMNS}`,
);

export const LIST = systemStatement('list_stores', `select ${COLUMNS} from stores s order by s.id`);
export const FIND = systemStatement('get_store', `select ${COLUMNS} from stores s where s.id = $id`);

// Statements within a store.

export const GET_NAME = statement('get_store_name', 'select name from stores where id = $store');
export const GET_PLAN = statement('get_store_plan', 'select plan from stores where id = $store');
