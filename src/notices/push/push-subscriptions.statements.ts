import { columns } from '../../platform/database/columns.js';
import { statement, systemStatement } from '../../platform/database/statement.js';

/** The most browsers of a person in a store. A further one ends the oldest. */
const MAX_PER_MEMBER = 10;

export const LIST_SUBSCRIPTIONS = statement(
  'list_push_subscriptions',
  `select ${columns(['id', 'browser', 'createdAt', 'lastSentAt'], 'p')},
     coalesce(p.browser_hash = $browserHash?::text, false) as "isThis!"
   from push_subscriptions p where p.store_id = $store and p.user_id = $userId
   order by p.created_at desc, p.id`,
);

export const FIND_TARGET = statement(
  'find_push_target',
  `select id, sealed_target as "sealedTarget", language from push_subscriptions
   where store_id = $store and user_id = $userId and browser_hash = $browserHash`,
);

export const SAVE_SUBSCRIPTION = statement(
  'save_push_subscription',
  `with others as (
     select id from push_subscriptions where store_id = $store and user_id = $userId
       and browser_hash <> $browserHash
     order by created_at desc, id desc offset ${MAX_PER_MEMBER - 1}
   ), ended as (
     delete from push_subscriptions where store_id = $store and id in (select id from others)
   )
   insert into push_subscriptions (store_id, id, user_id, browser_hash, session_id, browser, language,
     sealed_target, created_at)
   values ($store, $id, $userId, $browserHash, $sessionId, $browser?, $language, $sealedTarget, $now)
   on conflict (store_id, user_id, browser_hash) do update set session_id = $sessionId, browser = $browser,
     language = $language, sealed_target = $sealedTarget, quiet_until = null
   returning id`,
);

export const REMOVE_SUBSCRIPTION = statement(
  'remove_push_subscription',
  `delete from push_subscriptions where store_id = $store and user_id = $userId and id = $id returning id`,
);

// For the system role: the outcome of what was sent beside any call.

/** A subscription that was renewed meanwhile has another target, and stays. */
export const END_SUBSCRIPTION = systemStatement(
  'end_push_subscription',
  `delete from push_subscriptions
  where store_id = $storeId and id = $id and sealed_target = $sealedTarget`,
);

export const NOTE_PUSH = systemStatement(
  'note_push',
  `update push_subscriptions set last_sent_at = coalesce($sentAt?, last_sent_at), quiet_until = $quietUntil?
  where store_id = $storeId and id = $id`,
);
