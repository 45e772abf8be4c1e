import { LANGUAGES, type Language } from '../../../notices/words.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text } from '../../../platform/schema/fields.js';
import { Nested, NestedList } from '../../../platform/schema/list-fields.js';

@Example({ browser: 'Mozilla/5.0 (X11; Linux x86_64)' })
export class NoticeBrowserRecord {
  @Identifier() id: string;
  @Text({ nullable: true, description: 'The User-Agent of the browser.' }) browser: string | null;
  @Flag({ description: 'Whether it is the browser of the present call.' }) isThis: boolean;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true, description: 'When its push service last took a notice.' })
  lastSentAt: Date | null;
}

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

@Example({
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
})
export class NoticesRecord {
  @Text({ description: 'The applicationServerKey with which a browser subscribes to its push service.' })
  publicKey: string;
  @NestedList(() => NoticeBrowserRecord, { description: 'The browsers in which the member is told.' })
  browsers: NoticeBrowserRecord[];
  @Nested(() => NoticeChatRecord) chat: NoticeChatRecord;
}

@Example({
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
})
export class TurnOnNoticesInput {
  @Text({
    min: 1,
    max: 2048,
    secret: true,
    description: 'The address of the push subscription. It must be a public https:// address.',
  })
  endpoint: string;
  @Text({ min: 1, max: 100, secret: true, description: 'The key p256dh of the subscription, in base64url.' })
  p256dh: string;
  @Text({ min: 1, max: 40, secret: true, description: 'The key auth of the subscription, in base64url.' })
  auth: string;
  @OneOf(LANGUAGES, { description: 'The language of the notices.' }) language: Language;
}

@Example({ sent: false, error: 'timed out after 5 s' })
export class NoticeTestResult {
  @Flag({ description: "Whether the browser's push service took the notice." }) sent: boolean;
  @Text({ nullable: true, description: 'Why not.' }) error: string | null;
}
