import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { loadConfig } from '../../platform/config/config.js';
import { greeting } from './greeting.js';

describe('what a start prints without a demo store', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const config = loadConfig({
    BASE_URL: 'https://shop.example',
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  });

  it('tells how to make a store in an empty installation, and tokens in another', () => {
    const empty = greeting(config, server, null, false);
    expect(empty).toContain('shop -- store create --name NAME --currency USD --owner-email ADDRESS');
    expect(empty).not.toContain('token create');
    const used = greeting(config, server, null, true);
    expect(used).toContain('token create');
    expect(used).not.toContain('store create');
    for (const text of [empty, used]) expect(text).toContain('https://shop.example/dashboard');
  });
});
