import { Example } from '../../platform/schema/example.js';
import { AtLeastOneOf, DateTime, Flag, Text, Uri } from '../../platform/schema/fields.js';

@Example({ token: '123456789:AAExampleExampleExampleExampleExample' })
export class ConnectBotInput {
  @Text({
    limit: 2_000,
    pattern: /^[0-9]{8,10}:[A-Za-z0-9_-]{35,}$/,
    patternMeaning: '8 to 10 digits, a colon, then 35 or more letters, digits, underscores or hyphens',
    secret: true,
    description: 'The bot token, as issued by the messenger. It is stored encrypted and never returned.',
  })
  token: string;
}

/** What may be known of the store's bot: never its token. */
@Example({ username: 'nordwind_bot', botId: '123456789', connectedAt: '2026-05-04T09:30:00.000Z' })
export class BotRecord {
  @Flag() connected: boolean;
  @Text({ nullable: true }) username: string | null;
  @Text({ nullable: true }) botId: string | null;
  @DateTime({ nullable: true }) connectedAt: Date | null;
}

@Example({ text: 'Welcome to Nordwind!', buttonText: 'Open the shop' })
export class WelcomeMessageRecord {
  @Text() text: string;
  @Uri({ nullable: true }) imageUrl: string | null;
  @Text({ nullable: true }) buttonText: string | null;
  @DateTime({ nullable: true, description: 'The time of the last change; null if the store uses the default message.' })
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
  @Text({ min: 1, max: 64, optional: true, nullable: true, description: 'Of the button that opens the shop. Null: no button.' })
  buttonText?: string | null;
}
