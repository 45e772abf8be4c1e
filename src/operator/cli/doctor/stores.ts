import type pg from 'pg';
import { systemStatement } from '../../../platform/database/statement.js';
import { runOn } from '../../../platform/database/system.js';
import { WAS_MOVED_AWAY } from '../../../platform/database/was-moved-away.js';
import { type Check, fine, warning } from './report.js';

/** How many stores of a kind are named. */
const MOST = 20;

/** Reports webhooks that are paused or fail. Nothing is sent for a store that is suspended or moves. */
export async function checkEndpoints(client: pg.Client): Promise<Check[]> {
  const rows = await runOn(client, ENDPOINTS, { take: MOST + 1 });
  if (rows.length === 0)
    return [fine('webhooks', 'No endpoint is paused, and none has failed in the last 24 hours.')];
  return rows
    .slice(0, MOST)
    .map(({ store, paused, failed, retried }) =>
      warning(
        'webhooks',
        paused
          ? `The webhook of store ${store} is paused.`
          : `The webhook of store ${store} fails: ${failed} deliveries were given up in the last 24 hours, ` +
              `${retried} are being retried.`,
        paused
          ? 'Its owner resumes it on the dashboard, under Settings, Order webhooks.'
          : `shop webhook deliveries --store ${store} says what its endpoint answers.`,
      ),
    );
}

const ENDPOINTS = systemStatement(
  'doctor_endpoints',
  `select store, paused as "paused!", failed as "failed!", retried as "retried!" from (
    select e.store_id as store, e.paused_at is not null as paused,
      (select count(*)::int from webhook_deliveries d where d.store_id = e.store_id and d.status = 'failed'
        and d.finished_at > now() - interval '24 hours') as failed,
      (select count(*)::int from webhook_deliveries d where d.store_id = e.store_id and d.status = 'pending'
        and d.failed_attempts > 0) as retried
    from webhook_endpoints e join stores s on s.id = e.store_id
    where s.suspended_at is null and s.moved_to is null) as endpoints
  where paused or failed > 0 or retried > 0 order by paused desc, failed desc, store limit $take`,
);

/** Reports stores whose move is under way or was interrupted, which may refuse changes. */
export async function checkMoves(client: pg.Client): Promise<Check[]> {
  const rows = await runOn(client, MOVES, { take: MOST });
  return rows.map(({ store, place, isReadOnly }) =>
    warning(
      'moves',
      `The store ${store} is on its way to ${place}${isReadOnly ? ', and only answers reads' : ''}.`,
      'If no move runs, run it again where the store was, or with --undo: shop store move.',
    ),
  );
}

const MOVES = systemStatement(
  'doctor_moves',
  `select s.id as store, s.moved_to as "place!", s.read_only_since is not null as "isReadOnly!"
   from stores s where s.moved_to is not null and not ${WAS_MOVED_AWAY} order by s.id limit $take`,
);
