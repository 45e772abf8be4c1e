import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { versionAfter } from '../../platform/store/version.js';

const COLUMNS = [
  columns(['botId', 'username', 'sealedToken', 'sealedWebhookSecret', 'connectedAt'], 'b'),
  columns(['takesShippingQueries', 'hasMainApp', 'opens', 'appUrl', 'menuButton', 'menuDetail'], 'b'),
].join(', ');
const BOT = `select ${COLUMNS} from bots b where b.store_id = $store`;

export const FIND_BOT = statement('find_bot', BOT);
export const LOCK_BOT = statement('lock_bot', `${BOT} for update`);

export const SAVE_BOT = statement(
  'save_bot',
  `insert into bots (store_id, bot_id, username, sealed_token, sealed_webhook_secret, connected_at,
     takes_shipping_queries, has_main_app)
   values ($store, $botId, $username, $sealedToken, $sealedWebhookSecret, $connectedAt, true, $hasMainApp)
   on conflict (store_id) do update set bot_id = $botId, username = $username, sealed_token = $sealedToken,
     sealed_webhook_secret = $sealedWebhookSecret, connected_at = $connectedAt,
     takes_shipping_queries = true, has_main_app = $hasMainApp`,
);

export const SAVE_BOT_APP = statement(
  'save_bot_app',
  `update bots set opens = $opens, app_url = $appUrl?, has_main_app = $hasMainApp where store_id = $store`,
);

/** The bot is named, because the store may have another by now. */
export const NOTE_MENU_BUTTON = statement(
  'note_menu_button',
  `update bots set menu_button = $menuButton, menu_detail = $menuDetail?
   where store_id = $store and bot_id = $botId`,
);

export const FORGET_BOT = statement('forget_bot', `delete from bots where store_id = $store`);

/** The bot is named, because the store may have another by now. */
export const NOTE_SHIPPING_QUERIES = statement(
  'note_shipping_queries',
  `update bots set takes_shipping_queries = true where store_id = $store and bot_id = $botId`,
);

/** A row in any case; what it has of the message is null unless the store has changed it. */
export const FIND_BOT_MESSAGE = statement(
  'find_bot_message',
  `select s.language, coalesce(m.enabled, false) as "enabled!", coalesce(m.own, '{}') as "own!",
     ${columns(['text', 'imageUrl', 'buttonText', 'updatedAt', 'pictureRefused'], 'm')}
   from stores s left join bot_messages m on m.store_id = s.id and m.kind = $kind where s.id = $store`,
);

export const SET_BOT_BLOCKED = statement(
  'set_bot_blocked',
  `update customers set is_bot_blocked = $isBlocked, updated_at = ${versionAfter('updated_at', '$now')}
   where store_id = $store and id = $customerId and is_bot_blocked <> $isBlocked`,
);

/**
 * Runs before FIND_BOT_MESSAGE and SAVE_BOT_MESSAGE in the same transaction, so that fields that are not
 * given keep their value even if there is no row to lock yet.
 */
export const LOCK_BOT_MESSAGES = statement(
  'lock_bot_messages',
  `select pg_advisory_xact_lock(hashtextextended('bot_messages:' || $store::text, 0))`,
);

export const SAVE_BOT_MESSAGE = statement(
  'save_bot_message',
  `insert into bot_messages (store_id, kind, enabled, own, text, image_url, button_text, updated_at)
   values ($store, $kind, $enabled, $own, $text, $imageUrl?, $buttonText?, $updatedAt)
   on conflict (store_id, kind) do update set enabled = $enabled, own = $own, text = $text,
     image_url = $imageUrl, button_text = $buttonText, updated_at = $updatedAt,
     picture_refused = case when bot_messages.image_url = $imageUrl then bot_messages.picture_refused end`,
);

/** The picture is named, because the message may have another by now. */
export const NOTE_PICTURE = statement(
  'note_bot_message_picture',
  `update bot_messages set picture_refused = $refused?
   where store_id = $store and kind = $kind and image_url = $imageUrl`,
);
