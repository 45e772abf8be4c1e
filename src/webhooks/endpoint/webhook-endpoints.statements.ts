import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { HEALTH, HEALTH_OF_ENDPOINT } from './webhook-health.js';
import { givenUp, PREVIOUS_SECRET } from '../delivery/delivery-queue.statements.js';

export const FIND = statement(
  'find_webhook',
  `select ${columns(['url', 'sealedSecret', 'pausedAt', 'createdAt', 'updatedAt'], 'e')},
     ${PREVIOUS_SECRET} as "sealedPreviousSecret"
   from webhook_endpoints e where e.store_id = $store`,
);

export const FIND_HEALTH = statement(
  'find_webhook_health',
  `select ${HEALTH} from webhook_endpoints e ${HEALTH_OF_ENDPOINT} where e.store_id = $store`,
);

/**
 * Keeps an existing secret, because it is shown only once, on the first save. The pace of a new URL is not
 * known yet.
 */
export const SAVE = statement(
  'save_webhook',
  `insert into webhook_endpoints as e (store_id, url, sealed_secret, created_at, updated_at, url_set_at)
   values ($store, $url, $sealedSecret, $now, $now, shop_now())
   on conflict (store_id) do update set url = $url, updated_at = $now,
     url_set_at = case e.url when $url then e.url_set_at else shop_now() end,
     pace = case e.url when $url then e.pace else 'unknown' end
   returning e.sealed_secret = $sealedSecret as "isNew!"`,
);

/** With `$overlaps` the secret before it signs for another 24 hours; without, it is forgotten. */
export const ROTATE = statement(
  'rotate_webhook_secret',
  `update webhook_endpoints set sealed_secret = $sealedSecret, updated_at = $now,
     sealed_previous_secret = case when $overlaps::boolean then sealed_secret end,
     previous_until = case when $overlaps then shop_now() + interval '24 hours' end
   where store_id = $store returning previous_until as "previousUntil"`,
);

export const PAUSE = statement(
  'pause_webhook',
  `update webhook_endpoints set paused_at = $pausedAt?, updated_at = $now
   where store_id = $store returning url`,
);

/** Pending deliveries fail, because they have nowhere to go. */
export const REMOVE = statement(
  'remove_webhook',
  `with undeliverable as (
    update webhook_deliveries set ${givenUp('$now')}
    where store_id = $store and status = 'pending'
  ) delete from webhook_endpoints where store_id = $store returning url`,
);
