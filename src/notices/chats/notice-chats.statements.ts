import { columns } from '../../platform/database/columns.js';
import { statement, systemStatement } from '../../platform/database/statement.js';

/** A chat is with one bot: another one could not write there. */
export const FIND_CHAT = statement(
  'find_notice_chat',
  `select ${columns(['linkedAt', 'lastSentAt', 'blockedAt'], 'c')},
     coalesce(c.chat_id is not null and c.bot_id = $botId?::bigint, false) as "isLinked!",
     c.chat_id::text as "chatId",
     coalesce(c.code_expires_at > $now, false) as "isAwaited!"
   from notice_chats c where c.store_id = $store and c.user_id = $userId`,
);

/** What is linked stays so until another chat takes its place. */
export const AWAIT_CHAT = statement(
  'await_notice_chat',
  `insert into notice_chats (store_id, user_id, language, code_hash, code_expires_at)
   values ($store, $userId, $language, $codeHash, $expiresAt)
   on conflict (store_id, user_id) do update set language = $language, code_hash = $codeHash,
     code_expires_at = $expiresAt, blocked_at = null`,
);

export const LINK_CHAT = statement(
  'link_notice_chat',
  `update notice_chats set chat_id = $chatId, bot_id = $botId, linked_at = $now, code_hash = null,
     code_expires_at = null, blocked_at = null
   where store_id = $store and code_hash = $codeHash and code_expires_at > $now returning language`,
);

export const FIND_LINKED = statement(
  'find_linked_notice_chat',
  `select language from notice_chats
   where store_id = $store and chat_id = $chatId::bigint and bot_id = $botId::bigint`,
);

export const UNLINK_CHAT = statement(
  'unlink_notice_chat',
  `delete from notice_chats where store_id = $store and user_id = $userId returning user_id`,
);

/** Several members may have linked the same chat. */
export const STOP_CHAT = statement(
  'stop_notice_chat',
  `delete from notice_chats where store_id = $store and chat_id = $chatId::bigint and bot_id = $botId::bigint
   returning language`,
);

/** The page says why it has ended. */
export const BLOCK_CHAT = statement(
  'block_notice_chat',
  `update notice_chats set chat_id = null, bot_id = null, blocked_at = $now
   where store_id = $store and chat_id = $chatId::bigint and bot_id = $botId::bigint`,
);

export const NOTE_CHAT = statement(
  'note_notice_chat',
  `update notice_chats set last_sent_at = $now
   where store_id = $store and user_id = $userId and chat_id = $chatId::bigint`,
);

/** The linked chats of a store's members; none while it is suspended, or has moved. */
export const LIST_CHATS = systemStatement(
  'list_notice_chats',
  `select s.name as "storeName", c.user_id as "userId", c.chat_id::text as "chatId!", c.language, m.role,
    m.groups
  from stores s join bots b on b.store_id = s.id
    join notice_chats c on c.store_id = s.id and c.bot_id = b.bot_id
    join store_members m on m.store_id = c.store_id and m.user_id = c.user_id
  where s.id = $storeId and s.suspended_at is null and s.moved_to is null`,
);
