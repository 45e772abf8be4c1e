import { columns } from '../platform/database/columns.js';
import { statement, systemStatement } from '../platform/database/statement.js';
import { SUSPENSION } from '../platform/store/call.js';

const COLUMNS = columns(['id', 'name', 'currency', 'plan', 'createdAt'], 's');

// Statements for the system role, which sees every store.

export const INSERT = systemStatement(
  'insert_store',
  `insert into stores as s (id, name, currency, plan, time_zone, created_at, updated_at)
   values ($id, $name, $currency, $plan, $timeZone, $now, $now) returning ${COLUMNS}`,
);

/** What is shown of a suspension. */
const SUSPENDED = columns(['suspendedAt', 'suspendedReason'], 's');

/** `$pattern` is matched with name and id, `$emailKey` with the addresses of the members. */
export const LIST = systemStatement(
  'list_stores',
  `select ${COLUMNS}, ${SUSPENDED} from stores s
   where ($pattern?::text is null or s.name ilike $pattern or s.id::text ilike $pattern)
     and ($emailKey?::text is null or exists (select from store_members m join users u on u.id = m.user_id
       where m.store_id = s.id and u.email_key = $emailKey))
   order by s.id`,
);
export const HAS_STORES = systemStatement('has_stores', 'select exists (select from stores) as "hasAny!"');
export const FIND = systemStatement(
  'get_store',
  `select ${COLUMNS}, ${columns(SUSPENSION, 's')} from stores s where s.id = $id`,
);

// Statements within a store.

export const SET_SUSPENSION = statement(
  'set_suspension',
  `update stores as s set suspended_reason = $reason?::text,
     suspended_at = case when $reason?::text is not null then coalesce(s.suspended_at, $now) end
   where s.id = $store returning ${columns(['id', 'name'], 's')}, ${SUSPENDED}`,
);

/** Locked, so that the change that is audited is the one that was made. */
export const GET_SUSPENSION = statement(
  'get_suspension',
  `select ${SUSPENDED} from stores s where s.id = $store for no key update`,
);

export const GET_PROFILE = statement(
  'get_store_profile',
  'select name, currency, time_zone as "timeZone", language from stores where id = $store',
);
export const LOCK_PROFILE = statement(
  'lock_store_profile',
  'select time_zone as "timeZone", language, accent from stores where id = $store for no key update',
);
export const SET_PROFILE = statement(
  'set_store_profile',
  `update stores set time_zone = $timeZone, language = $language, accent = $accent?, updated_at = $now
   where id = $store`,
);
export const GET_ACCENT = statement('get_accent', 'select accent from stores where id = $store');
/** No row if it is so already. */
export const HIDE_FIRST_SALE = statement(
  'hide_first_sale',
  `update stores set first_sale_hidden = $hidden, updated_at = $now
   where id = $store and first_sale_hidden <> $hidden returning id`,
);
export const GET_PLAN = statement('get_store_plan', 'select plan from stores where id = $store');
