import { sentence, tell } from '../../platform/problems.js';
import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, OneOf, Text, Uri } from '../../platform/schema/fields.js';
import { AtLeastOneOf, CrossField } from '../../platform/schema/rules.js';
import { BOT_MESSAGE_KINDS, type BotMessageKind } from '../../stores/words/store-words.js';

/** What the buttons of a bot open: the service's shop, an app of the owner's, or nothing. */
const OPENS = ['shop', 'app', 'nothing'] as const;
export type Opens = (typeof OPENS)[number];

/** How the setting of the menu button went; `other`: it opens somebody else's app, and was left. */
const MENU_BUTTONS = ['set', 'other', 'failed', 'not_https'] as const;
export type MenuButtonState = (typeof MENU_BUTTONS)[number];

@Example({ token: '123456789:AAExampleExampleExampleExampleExample' })
export class ConnectBotInput {
  @Text({
    limit: 2_000,
    pattern: /^[0-9]{8,10}:[A-Za-z0-9_-]{35,}$/,
    patternMeaning: '8 to 10 digits, a colon, then 35 or more letters, digits, underscores or hyphens',
    told: tell('bot_token'),
    secret: true,
    description: 'The bot token, as issued by the messenger. It is stored encrypted and never returned.',
  })
  token: string;
}

/** The public data of the store's bot. The token is not part of it. */
@Example({ username: 'nordwind_bot', botId: '123456789', connectedAt: '2026-05-04T09:30:00.000Z' })
export class BotRecord {
  @Flag() connected: boolean;
  @Text({ nullable: true }) username: string | null;
  @Text({ nullable: true }) botId: string | null;
  @DateTime({ nullable: true }) connectedAt: Date | null;
}

@Example({ opens: 'app', url: 'https://app.nordwind.example' })
export class BotAppInput {
  @OneOf(OPENS, { description: "shop: the service's own shop. app: a Mini App of the owner's." })
  opens: Opens;
  @Uri({ optional: true, nullable: true, description: 'The https address of the app.' }) url?: string | null;
}

@Example({ opens: 'shop', menuButton: 'set' })
export class BotAppRecord {
  @OneOf(OPENS) opens: Opens;
  @Uri({ nullable: true }) url: string | null;
  @OneOf(MENU_BUTTONS, {
    description: "The button of the bot's chats: set as chosen; other, it opens another app and was left.",
  })
  menuButton: MenuButtonState;
  @Text({ nullable: true, description: 'Why it is not set.' }) detail: string | null;
}

@Example({ productId: '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30' })
export class ShopLinksInput {
  @Identifier({ optional: true, description: 'The internal id: the links lead to this product.' })
  productId?: string;
}

/** Where an owner sees the shop as a shopper does. */
@Example({ page: null, link: 'https://t.me/nordwind_bot?start=shop' })
export class ShopLinksRecord {
  @Uri({ nullable: true, description: 'The page that opens in this browser, as the demo shopper.' })
  page: string | null;
  @Uri({ nullable: true, description: 'The link to the bot; null if none is connected.' })
  link: string | null;
}

@Example({ text: 'Welcome to Nordwind!', buttonText: 'Open the shop' })
export class WelcomeMessageRecord {
  @Text() text: string;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Text({ nullable: true }) buttonText: string | null;
  @DateTime({
    nullable: true,
    description: 'The time of the last change; null if the store uses the default message.',
  })
  updatedAt: Date | null;
}

@Example({
  text: 'Welcome! Tap the button to open our shop.',
  imageUrl: 'https://cdn.example.com/hello.jpg',
  buttonText: 'Open shop',
})
@AtLeastOneOf('text', 'imageUrl', 'buttonText')
export class UpdateWelcomeMessageInput {
  @Text({ min: 1, max: 4096, optional: true }) text?: string;
  @Uri({ optional: true, nullable: true, description: 'Null: no image.' }) imageUrl?: string | null;
  @Text({
    min: 1,
    max: 64,
    optional: true,
    nullable: true,
    description: 'The text of the button that opens the shop. Null means that there is no button.',
  })
  buttonText?: string | null;
}

/**
 * The maximum length of a shipped message. Carrier and tracking number are added to it, and everything must
 * fit into one message.
 */
const MAX_SHIPPED = 3_500;
const BOT_MESSAGE_KIND =
  'Which message: welcome is sent to a new shopper, shipped when ship_order is called with notify: true, ' +
  'the others when an order is placed, paid, cancelled or delivered.';
const ENABLED = 'Whether it is sent (false at first). The welcome and the shipped message have no switch.';

@Example({ kind: 'shipped' })
export class BotMessageInput {
  @OneOf(BOT_MESSAGE_KINDS, { description: BOT_MESSAGE_KIND }) kind: BotMessageKind;
}

@Example({ kind: 'shipped', text: 'Your order {orderId} is on its way!', buttonText: 'Track it' })
@AtLeastOneOf('text', 'imageUrl', 'buttonText', 'enabled')
@CrossField({
  description: `The text of the shipped message has at most ${MAX_SHIPPED} characters.`,
  check: ({ kind, text }) =>
    kind === 'shipped' && typeof text === 'string' && [...text].length > MAX_SHIPPED
      ? sentence(
          `text must be a string of 1 to ${MAX_SHIPPED} characters for the shipped message`,
          'length',
          {
            ...{ path: 'text', min: 1, max: MAX_SHIPPED },
          },
        )
      : null,
})
export class UpdateBotMessageInput extends UpdateWelcomeMessageInput {
  @OneOf(BOT_MESSAGE_KINDS, { description: BOT_MESSAGE_KIND }) kind: BotMessageKind;
  @Flag({ optional: true, description: ENABLED }) enabled?: boolean;
  @Text({
    min: 1,
    max: 4096,
    optional: true,
    description: "Plain text. In messages about an order {orderId} stands for the order's number.",
  })
  text?: string;
  @Text({
    min: 1,
    max: 64,
    optional: true,
    nullable: true,
    description:
      'The text of the button that opens the shop, the tracking page or the order. With null there is no ' +
      'button, but that of the shipped message, which then has the default text.',
  })
  buttonText?: string | null;
}

@Example({ text: 'Your order {orderId} is on its way!', buttonText: 'Track it' })
export class BotMessageRecord extends WelcomeMessageRecord {
  @OneOf(BOT_MESSAGE_KINDS, { description: BOT_MESSAGE_KIND }) kind: BotMessageKind;
  @Flag({ optional: true, description: ENABLED }) enabled?: boolean;
  @Text({ nullable: true, description: "The messenger's sentence, if it refused the picture the last time." })
  pictureRefused: string | null;
}
