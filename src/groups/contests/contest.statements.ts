import { statement } from '../../platform/database/statement.js';
import { newestOf } from '../../platform/store/records.js';
import { Contest } from './contest.entity.js';

export const LIST_CONTESTS = statement(
  'list_contests',
  newestOf('contests', Contest, 'and ($status?::text is null or r.status = $status?)'),
);
