import { as, statement } from '../../../platform/database/statement.js';
import type { Sentence } from '../../../platform/problems.js';
import type { ReadableRow } from '../words/readable-changes.js';

/** What a person reads of a change that waits for them. */
export interface Shown {
  question: string;
  rows: ReadableRow[];
  warnings: Sentence[];
  /** The agent that asks. */
  by: string;
}

export const SAVE_SHOWN = statement(
  'save_shown_preview',
  `update previewed_changes set shown = $shown where store_id = $store and id = $id`,
);

/** Newest first; those that wait before those that were decided. */
export const LIST_APPROVALS = statement(
  'list_approvals',
  `select id, operation, approval as "state!", shown as "shown!", expires_at as "expiresAt"
   from previewed_changes where store_id = $store and approval is not null and expires_at > $now
   order by approval = 'waiting' desc, id desc limit 100`,
  { row: as<{ shown: Shown }>() },
);
