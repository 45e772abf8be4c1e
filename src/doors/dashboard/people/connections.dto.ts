import { Example } from '../../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text, Uri } from '../../../platform/schema/fields.js';
import { GroupsOutput } from './tokens.dto.js';
import { SCOPES } from '../../../access/rights.js';

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
  @GroupsOutput() groups: readonly string[] | null;
  @Uri({ description: 'The address that the app may call: the MCP endpoint or the HTTP operations.' })
  resource: string;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) lastUsedAt: Date | null;
  @DateTime({ description: 'The time at which the connection ends if the app is not used before.' })
  expiresAt: Date;
}
