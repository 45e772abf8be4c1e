import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { Config } from '../../platform/config/config.js';
import { readDemoStore } from '../../platform/config/demo-store.js';
import type { DemoStore } from './seed-demo.js';

/**
 * The text for the operator when the service is up. Tokens are shown only with a demo store that was just
 * created.
 */
export function greeting(config: Config, server: Server, demo: DemoStore | null, hasStores: boolean): string {
  const { port } = server.address() as AddressInfo;
  const baseUrl = config.port === 0 ? `http://localhost:${port}` : config.baseUrl;
  const isForDevelopment = config.databaseUrl === null && config.nodeEnv !== 'production';
  const place = isForDevelopment ? readDemoStore(config.dataDir) : null;
  const lines = [
    '',
    `Shop administration is up: ${baseUrl}`,
    `Dashboard:                  ${baseUrl}/dashboard`,
    ...(place ? [`Shop:                       ${baseUrl}/shop/${place.storeId}`] : []),
    `MCP, for AI agents:         ${baseUrl}/mcp`,
    `Docs:                       ${baseUrl}/docs`,
    '',
  ];
  if (demo) {
    lines.push(
      `A demo store was made: ${demo.store.name} (${demo.store.id})`,
      demo.invitation
        ? `  owner        whoever opens ${demo.invitation}`
        : `  owner        ${demo.ownerEmail}  password ${demo.ownerPassword}`,
      `  read token   ${demo.tokens.read}`,
      `  write token  ${demo.tokens.write}`,
      `  admin token  ${demo.tokens.admin}`,
      '  They are shown only now. Try one:',
      '',
      `curl -s ${baseUrl}/v1/list_orders -H 'Authorization: Bearer ${demo.tokens.read}' -H 'Content-Type: ` +
        `application/json' -d '{"take":2}'`,
      '',
    );
  } else if (!hasStores) {
    lines.push(
      'There is no store yet. To make one, with its owner:',
      '  npm run --silent shop -- store create --name NAME --currency USD --owner-email ADDRESS',
      '',
    );
  } else {
    lines.push(
      'Tokens are shown only when they are made. To make one:',
      '  npm run --silent shop -- store list --json',
      '  npm run --silent shop -- token create --store ID --name my-token --scope read --json',
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
