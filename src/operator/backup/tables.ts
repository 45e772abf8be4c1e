/** The ways on which the rows of a store leave an installation, or stay in it twice. */
export type Way = 'export' | 'backup' | 'copy' | 'move';

/**
 * Tables of stores that do not go every way; all others do, also new ones.
 * - `export`: what the service needs to run, but what tells nothing of the store.
 * - `backup`: connected apps must be connected again, just as people must sign in again. Notices are for the
 *   installation whose people chose to read them, and never go along.
 * - `copy`: a store that is restored beside the first one has no access of programs, people who are still to
 *   join, bot, webhook or anything that it would be told, answers to repeated calls, changes that wait for a
 *   yes, payments that are waited for, or what is owed for the first store.
 */
const EXCEPT: Record<string, Way[]> = {
  notice_chats: ['backup', 'copy', 'move'],
  notice_cursors: ['export', 'backup', 'copy', 'move'],
  oauth_grants: ['export', 'backup', 'copy'],
  oauth_tokens: ['export', 'backup', 'copy'],
  idempotency_keys: ['export', 'copy'],
  order_keys: ['export', 'copy'],
  previewed_changes: ['export', 'copy'],
  webhook_due_stores: ['export', 'copy'],
  kept_changes: ['export'],
  api_tokens: ['copy'],
  awaited_payments: ['copy'],
  bots: ['copy'],
  invitations: ['copy'],
  invoices: ['copy'],
  order_events: ['copy'],
  plan_changes: ['copy'],
  record_changes: ['copy'],
  subscriptions: ['copy'],
  webhook_attempts: ['copy'],
  webhook_deliveries: ['copy'],
  webhook_endpoints: ['copy'],
};

export const goes = (table: string, way: Way): boolean => !EXCEPT[table]?.includes(way);

/**
 * Tables that belong to the installation and not to its data. A backup's header has what is needed of them.
 */
const OF_INSTALLATION = ['migrations', 'encryption_keys', 'role_passwords', 'job_runs'];
/**
 * What is written anew from the data. It goes along with a store that moves, because writing it takes longer
 * than copying it, and the store is read-only meanwhile.
 */
export const DERIVED = 'search_documents';
export const leftOut = (way: Way): string[] =>
  way === 'move' ? OF_INSTALLATION : [...OF_INSTALLATION, DERIVED];
/** The table of apps. Those that are connected to the store go along with a store that moves. */
export const APPS = 'oauth_clients';
/**
 * The tables of an account, with the column of its id, that go along with a store for its members. Sessions
 * do not.
 */
export const ACCOUNT_TABLES: Record<string, string> = {
  users: 'id',
  second_factors: 'user_id',
  recovery_codes: 'user_id',
};
