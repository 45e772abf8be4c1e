import { listStatement } from '../../platform/store/records.js';
import { Contest } from './contest.entity.js';

/** $4 the status, or null. */
export const LIST_CONTESTS = listStatement('contests', Contest, 'and ($4::text is null or r.status = $4)');
