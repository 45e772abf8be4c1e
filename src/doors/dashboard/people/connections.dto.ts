import { Example } from '../../../platform/schema/example.js';
import { DateTime, Decimal, Identifier, Integer, OneOf, Text, Uri } from '../../../platform/schema/fields.js';
import { Nested } from '../../../platform/schema/list-fields.js';
import { GroupsOutput } from './tokens.dto.js';
import { SCOPES } from '../../../access/rights.js';

@Example({ messages: 200, bonus: 50, refunds: 10000 })
export class DailyLimitsRecord {
  @Integer({ min: 0, nullable: true, description: 'Messages to customers; null: no limit.' })
  messages: number | null;
  @Decimal({ min: 0, nullable: true, description: 'Bonus given, in major units; null: no limit.' })
  bonus: number | null;
  @Integer({ min: 0, nullable: true, description: 'Refunds, in minor units; null: no limit.' })
  refunds: number | null;
}

@Example({
  appName: 'Warehouse assistant',
  appHost: 'assistant.example',
  redirectHost: 'assistant.example',
  email: 'owner@shop.example',
  scope: 'write',
  groups: ['orders', 'products'],
  resource: 'https://shop.example/mcp',
  expiresAt: '2026-06-03T09:30:00.000Z',
})
export class ConnectionRecord {
  @Identifier() id: string;
  @Text({ description: 'The name that the app gives itself. It is not verified.' }) appName: string;
  @Text({
    nullable: true,
    description:
      'The host that publishes the description of the app; null for an app that registered itself or is a ' +
      'partner of the service.',
  })
  appHost: string | null;
  @Text({
    description:
      "The host, or the app's own scheme, to which the browser returned when the app was connected.",
  })
  redirectHost: string;
  @Identifier({ description: 'The id of the user who connected the app.' }) userId: string;
  @Text({ description: 'The e-mail address of the user who connected the app.' }) email: string;
  @OneOf(SCOPES, {
    description: 'The scope that was granted. A call can do no more than the role of the user allows.',
  })
  scope: string;
  @Nested(() => DailyLimitsRecord, {
    nullable: true,
    description: 'The most that the app may give out in a day; null: no limits.',
  })
  dailyLimits: DailyLimitsRecord | null;
  @GroupsOutput() groups: readonly string[] | null;
  @Uri({ description: 'The address that the app may call: the MCP endpoint or the HTTP operations.' })
  resource: string;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) lastUsedAt: Date | null;
  @DateTime({ description: 'The time at which the connection ends if the app is not used before.' })
  expiresAt: Date;
}
