import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { APIRequestContext } from '@playwright/test';
import { OWNER } from './support.js';

const SHOP = path.resolve(import.meta.dirname, '../../dist/src/cli.js');

/** @returns a new store of the demo store's owner, in the same installation */
export async function newStore(
  request: APIRequestContext,
  { name = 'Corner', currency = 'EUR' } = {},
): Promise<string> {
  const args = ['store', 'create', '--name', name, '--currency', currency];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SHOP, ...args, '--owner-email', OWNER().email, '--json'],
    { cwd: process.env.WEB_FOLDER, env: { PATH: process.env.PATH, HOME: process.env.WEB_FOLDER } },
  );
  const { id, invitation } = JSON.parse(stdout) as { id: string; invitation: string };
  await request.post('/dashboard/api/auth/accept-invitation', { data: { invitation } });
  return id;
}
