import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';

export const FIND_BOT = statement(
  'find_bot',
  `select bot_id, username, sealed_token, sealed_webhook_secret, connected_at, takes_shipping_queries from bots where store_id = $1`,
);

export const LOCK_BOT = statement('lock_bot', `${FIND_BOT.text} for update`);

/** $2 bot id, $3 username, $4 sealed token, $5 sealed webhook secret, $6 now. */
export const SAVE_BOT = statement(
  'save_bot',
  `insert into bots (store_id, bot_id, username, sealed_token, sealed_webhook_secret, connected_at, takes_shipping_queries)
   values ($1, $2, $3, $4, $5, $6, true)
   on conflict (store_id) do update set bot_id = $2, username = $3, sealed_token = $4, sealed_webhook_secret = $5, connected_at = $6,
     takes_shipping_queries = true`,
);

export const FORGET_BOT = statement('forget_bot', `delete from bots where store_id = $1`);

/** $2 the bot, because the store may have another bot by now. */
export const NOTE_SHIPPING_QUERIES = statement(
  'note_shipping_queries',
  `update bots set takes_shipping_queries = true where store_id = $1 and bot_id = $2`,
);

export const FIND_BOT_MESSAGE = statement(
  'find_bot_message',
  `select text, image_url as "imageUrl", button_text as "buttonText", updated_at as "updatedAt"
   from bot_messages where store_id = $1 and kind = $2`,
);

/** $2 customer, $3 whether they blocked the bot, $4 now. */
export const SET_BOT_BLOCKED = statement(
  'set_bot_blocked',
  `update customers set is_bot_blocked = $3, updated_at = ${versionAfter('updated_at', '$4')} where store_id = $1 and id = $2 and is_bot_blocked <> $3`,
);

/**
 * Runs before FIND_BOT_MESSAGE and SAVE_BOT_MESSAGE in the same transaction, so that fields that are not
 * given keep their value even if there is no row to lock yet.
 */
export const LOCK_BOT_MESSAGES = statement(
  'lock_bot_messages',
  `select pg_advisory_xact_lock(hashtextextended('bot_messages:' || $1::text, 0))`,
);

/** $2 kind, $3 text, $4 image, $5 button, $6 now. */
export const SAVE_BOT_MESSAGE = statement(
  'save_bot_message',
  `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (store_id, kind) do update set text = $3, image_url = $4, button_text = $5, updated_at = $6`,
);
