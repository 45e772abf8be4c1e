import { Example } from '../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, Text } from '../../platform/schema/fields.js';

@Example({ browser: 'Mozilla/5.0 (X11; Linux x86_64)', address: '203.0.113.7' })
export class SessionRecord {
  @Identifier() id: string;
  @DateTime() createdAt: Date;
  @DateTime({ description: 'To within five minutes.' }) lastUsedAt: Date;
  @Text({ nullable: true, description: 'The User-Agent of the browser that signed in.' }) browser: string | null;
  @Text({ nullable: true, description: 'The network address it signed in from.' }) address: string | null;
  @Flag({ description: 'The session of this very call.' }) current: boolean;
}

@Example({ ended: 2 })
export class EndedSessions {
  @Integer({ description: 'How many sessions ended.' }) ended: number;
}
