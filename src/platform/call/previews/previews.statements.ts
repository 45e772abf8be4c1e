import { statement } from '../../database/statement.js';

export const SAVE_PREVIEW = statement(
  'save_preview',
  `insert into previewed_changes
     (store_id, id, actor, operation, sealed_input, bytes, outcome_hash, is_stepwise, approval, input_hash,
     expires_at)
   values ($store, $id, $actor, $operation, $sealedInput, $bytes, $outcomeHash, $isStepwise, $approval?,
     $inputHash?, $expiresAt)
   on conflict (store_id, id) do update set outcome_hash = $outcomeHash, is_stepwise = $isStepwise,
     sealed_input = $sealedInput, bytes = $bytes, expires_at = $expiresAt`,
);

/** The same call of the same caller that waits for a person. */
export const FIND_WAITING = statement(
  'find_waiting_preview',
  `select id from previewed_changes
   where store_id = $store and actor = $actor and operation = $operation and input_hash = $inputHash
     and approval = 'waiting' and expires_at > $now
   order by id limit 1 for update`,
);

const PREVIEWED =
  'operation, sealed_input as "sealedInput", outcome_hash as "outcomeHash", is_stepwise as "isStepwise"';

export const FIND_PREVIEW = statement(
  'find_preview',
  `select ${PREVIEWED}, approval, answer
   from previewed_changes where store_id = $store and id = $id and actor = $actor and expires_at > $now`,
);

/** It is applied once, whoever presses the button twice; a call that fails takes it back. */
export const TAKE_APPROVAL = statement(
  'take_approval',
  `update previewed_changes set approval = $approval
   where store_id = $store and id = $id and approval = 'waiting' and expires_at > $now
   returning ${PREVIEWED}`,
);

export const KEEP_ANSWER = statement(
  'keep_approved_answer',
  `update previewed_changes set answer = $answer, expires_at = $expiresAt
   where store_id = $store and id = $id`,
);

/** Marks a stepwise preview as started: its outcome is no longer compared. */
export const BEGUN = '';
export const BEGIN_PREVIEW = statement(
  'begin_preview',
  `update previewed_changes set outcome_hash = $outcomeHash, expires_at = $expiresAt
   where store_id = $store and id = $id`,
);
