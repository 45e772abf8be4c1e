import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, OneOf, Text, Uri } from '../../platform/schema/fields.js';
import { SCOPES } from '../../platform/store/principal.js';

@Example({
  appName: 'Warehouse assistant',
  appHost: 'assistant.example',
  redirectHost: 'assistant.example',
  email: 'owner@shop.example',
  scope: 'write',
  resource: 'https://shop.example/mcp',
  expiresAt: '2026-06-03T09:30:00.000Z',
})
export class ConnectionRecord {
  @Identifier() id: string;
  @Text({ description: 'What the app calls itself; nobody has verified it.' }) appName: string;
  @Text({
    nullable: true,
    description: 'The host the app describes itself at; null for one that registered itself or is a partner of the service.',
  })
  appHost: string | null;
  @Text({ description: "Where the browser went when the app was let in: a host, or the app's own scheme." }) redirectHost: string;
  @Identifier({ description: 'Who let it in.' }) userId: string;
  @Text({ description: 'The address of who let it in.' }) email: string;
  @OneOf(SCOPES, { description: "What was granted. A call may do no more than its person's role allows." }) scope: string;
  @Uri({ description: 'What it may call: the MCP endpoint, or the HTTP operations.' }) resource: string;
  @DateTime() createdAt: Date;
  @DateTime({ nullable: true }) lastUsedAt: Date | null;
  @DateTime({ description: 'When it ends if the app does not come back before.' }) expiresAt: Date;
}
