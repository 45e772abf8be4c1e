import { Example } from '../../platform/schema/example.js';
import { Flag, Text, Uri } from '../../platform/schema/fields.js';
import { MAX_MESSAGE } from './campaigns.dto.js';

/** What send_campaign takes of the message. */
@Example({ text: 'Everything is 10 % off until Sunday.' })
export class TestCampaignInput {
  @Text({ min: 1, limit: MAX_MESSAGE }) text: string;
  @Uri({ optional: true }) imageUrl?: string;
  @Text({ min: 1, optional: true, description: 'Sent only if buttonUrl is given too.' }) buttonText?: string;
  @Uri({ protocols: ['http:', 'https:', 'tg:'], optional: true }) buttonUrl?: string;
}

@Example({ sent: false, error: 'Bad Request: wrong type of the web page content' })
export class CampaignTestResult {
  @Flag({ description: 'Whether the messenger took the message.' }) sent: boolean;
  @Text({ nullable: true, description: 'Why not.' }) error: string | null;
}
