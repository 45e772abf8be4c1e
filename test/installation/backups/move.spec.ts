import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emptyDatabase } from '../../support/database/own-database.js';
import { ServiceProcess, shopProcess } from '../../support/servers/service-process.js';

describe('a move from the embedded database', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-move-'));
  const dataDir = path.join(folder, 'data');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('copies everything to a server, and says where the key is', async () => {
    const env = { DATA_DIR: dataDir };
    const service = await ServiceProcess.start(env);
    const [, token] = /admin token +(shop_live_\w+)/.exec(service.output)!;
    const call = async (url: string) =>
      (
        await fetch(`${url}/v1/list_orders`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: '{}',
        })
      ).json() as Promise<{ ok: boolean; data: { items: object[] } }>;
    const orders = await call(service.url);
    expect(orders.data.items.length).toBeGreaterThan(2);
    const target = await emptyDatabase();
    const away = await shopProcess(env, 'move', '--to', 'postgres://127.0.0.1:1/none');
    expect(away.output).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(/^to: the database cannot/) },
    });
    const refused = await shopProcess(env, 'move', '--to', target);
    expect(refused).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('stop it first') } },
    });
    expect(await service.stop()).toBe(0);

    const moved = await shopProcess(env, 'move', '--to', target);
    expect(moved).toMatchObject({ code: 0, output: { stores: 1, migrationsApplied: [] } });
    expect(moved.output.encryptionKey).toContain(path.join(dataDir, 'encryption.key'));
    expect(moved.output.next).toContain('is not moved');
    const moveKey = readFileSync(path.join(dataDir, 'encryption.key'), 'utf8').trim();
    expect(moved.stdout + moved.stderr).not.toContain(moveKey);

    const there = await ServiceProcess.start({ DATABASE_URL: target, ENCRYPTION_KEY: moveKey });
    expect(await call(there.url)).toEqual(orders);
    await there.stop();
    expect(await shopProcess(env, 'move', '--to', target)).toMatchObject({ code: 1 });
    expect(await shopProcess(env, 'move', '--to', 'mysql://x')).toMatchObject({ code: 1 });
  });
});
