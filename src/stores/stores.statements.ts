import { columns } from '../platform/database/columns.js';
import { statement } from '../platform/database/statement.js';

const COLUMNS = columns(['id', 'name', 'currency', 'plan', 'createdAt'], 's');

// Statements for the system role, which sees every store.

/** $5 now. */
export const INSERT = `
  insert into stores as s (id, name, currency, plan, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${COLUMNS}`;

export const LIST = `select ${COLUMNS} from stores s order by s.id`;
export const FIND = `select ${COLUMNS} from stores s where s.id = $1`;

// Statements within a store.

export const GET_NAME = statement('get_store_name', 'select name from stores where id = $1');
export const GET_PLAN = statement('get_store_plan', 'select plan from stores where id = $1');
