import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { request } from '@playwright/test';
import { eventually } from '../support/eventually.js';
import { BotApiServer } from '../support/servers/bot-api-server.js';
import { freePort } from '../support/servers/free-port.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Starts the built service with a demo store in a folder of its own; the tests read where it is, and who owns
 * the store, from the environment.
 * @returns what stops it, and the messenger that it talks to
 */
export async function startShop(): Promise<{ stop: () => Promise<void>; messenger: BotApiServer }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-web-'));
  const port = await freePort();
  const bucket = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: path.join(folder, 'bucket') },
    configureBuckets: [{ name: 'pictures', configs: [] }],
  });
  const endpoint = `http://127.0.0.1:${(await bucket.run()).port}`;
  const messenger = await BotApiServer.start();
  const service = await startService(folder, {
    PORT: String(port),
    // Tests click faster than people; one test (base-path.spec.ts) has limits of its own.
    ...{
      SESSION_RATE_LIMIT_READ: '100000',
      SESSION_RATE_LIMIT_WRITE: '100000',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    },
    MESSENGER_API_ROOT: messenger.apiRoot,
    SUPPORT_CONTACT: 'help@shops.example',
    ...{ UPLOADS_S3_ENDPOINT: endpoint, UPLOADS_S3_REGION: 'us-east-1', UPLOADS_S3_BUCKET: 'pictures' },
    ...{ UPLOADS_S3_ACCESS_KEY_ID: 'S3RVER', UPLOADS_S3_SECRET_ACCESS_KEY: 'S3RVER' },
    UPLOADS_PUBLIC_URL: `${endpoint}/pictures`,
  });
  const stop = async () => {
    await service.stop();
    await Promise.all([bucket.close(), messenger.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  const { email, password } = service;
  Object.assign(process.env, {
    WEB_FOLDER: folder,
    WEB_URL: `http://localhost:${port}`,
    WEB_OWNER: email,
    WEB_PASSWORD: password,
  });
  // Signing in takes a password hash each time: the tests share one session, those of signing in apart.
  const context = await request.newContext({ baseURL: process.env.WEB_URL });
  await context.post('/dashboard/api/auth/sign-in', { data: { email, password } });
  const { data } = (await (await context.get('/dashboard/api/stores')).json()) as {
    data: { items: { id: string }[] };
  };
  process.env.WEB_STORE = data.items[0].id;
  process.env.WEB_STATE = path.join(folder, 'session.json');
  await context.storageState({ path: process.env.WEB_STATE });
  await context.dispose();
  return { stop, messenger };
}

/** Starts the built service on a demo store in this folder, and waits until it says who owns the store. */
export async function startService(folder: string, settings: NodeJS.ProcessEnv) {
  const service = spawn(process.execPath, [path.join(ROOT, 'dist/src/main.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (service.exitCode !== null) return;
    service.kill('SIGTERM');
    await once(service, 'exit');
  };
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (data) => (output += String(data)));
  const owner = () => /owner\s+(\S+)\s+password (\S+)/.exec(output);
  try {
    await eventually('the service says who owns the store', () => {
      if (service.exitCode !== null) throw new Error('it has ended');
      return owner();
    });
  } catch (error) {
    await stop();
    throw new Error(`the service did not start:\n${output}`, { cause: error });
  }
  const [, email, password] = owner()!;
  return { email, password, stop };
}
