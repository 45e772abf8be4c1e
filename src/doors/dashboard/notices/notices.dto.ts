import { LANGUAGES, type Language } from '../../../notices/words.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, OneOf, Text } from '../../../platform/schema/fields.js';
import { Nested } from '../../../platform/schema/list-fields.js';

@Example({ bot: 'nordwind_shop_bot', state: 'on' })
export class NoticeChatRecord {
  @Text({ nullable: true, description: "The name of the store's bot; null without one." }) bot: string | null;
  @OneOf(['off', 'waiting', 'on', 'blocked'], {
    description:
      "Whether the bot tells the member in their own chat: 'waiting' is for a chat to be linked, 'blocked' " +
      'one that could not be written to, and was unlinked.',
  })
  state: 'off' | 'waiting' | 'on' | 'blocked';
  @DateTime({ nullable: true, description: 'When the bot last told the member of an order.' })
  lastSentAt: Date | null;
}

@Example({ link: 'https://t.me/nordwind_shop_bot?start=notices-…', expiresAt: '2026-05-05T09:30:00.000Z' })
export class ChatLink {
  @Text({ description: 'Whoever follows it in the messenger and presses Start links their chat, once.' })
  link: string;
  @DateTime() expiresAt: Date;
}

export class LinkChatInput {
  @OneOf(LANGUAGES, { description: 'The language of the notices.' }) language: Language;
}

export class UnlinkedChat {
  @Flag() deleted: boolean;
}

export class NoticesRecord {
  @Nested(() => NoticeChatRecord) chat: NoticeChatRecord;
}
