import { Example } from '../../../platform/schema/example.js';
import { DateTime, Flag, Identifier, Integer, Text } from '../../../platform/schema/fields.js';

@Example({ browser: 'Mozilla/5.0 (X11; Linux x86_64)', address: '203.0.113.7' })
export class SessionRecord {
  @Identifier() id: string;
  @DateTime() createdAt: Date;
  @DateTime({ description: 'The time of the last call, accurate to five minutes.' }) lastUsedAt: Date;
  @Text({ nullable: true, description: 'The User-Agent of the browser that signed in.' }) browser:
    string | null;
  @Text({ nullable: true, description: 'The network address from which the user signed in.' }) address:
    string | null;
  @Flag({ description: 'Whether this is the session of the present call.' }) current: boolean;
}

@Example({ ended: 2 })
export class EndedSessions {
  @Integer({ description: 'The number of sessions that were ended.' }) ended: number;
}
