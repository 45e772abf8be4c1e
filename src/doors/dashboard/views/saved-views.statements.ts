import { columns } from '../../../platform/database/columns.js';
import { statement } from '../../../platform/database/statement.js';
import { SavedView } from './saved-view.entity.js';

/** There are few of them, so a list is never paged. */
export const LIST_VIEWS = statement(
  'list_saved_views',
  `select ${columns(SavedView, 'v')}
   from saved_views v where v.store_id = $store and v.page = $page order by v.id`,
);

/** Views are saved one after the other, so that they cannot become too many. */
export const LOCK_VIEWS = statement(
  'lock_saved_views',
  `select pg_advisory_xact_lock(hashtextextended('saved_views:' || $store::text, 0))`,
);

export const COUNT_VIEWS = statement(
  'count_saved_views',
  `select count(*)::integer as "count!" from saved_views v where v.store_id = $store and v.page = $page`,
);
