import { statement } from '../../../platform/database/statement.js';

/** Ends with the transaction. One rehearsal of many changes at a time keeps its locks. */
export const LOCK_REHEARSALS = statement(
  'lock_rehearsals',
  `select pg_advisory_xact_lock(hashtextextended('rehearsals:' || $store::text, 0))`,
);
