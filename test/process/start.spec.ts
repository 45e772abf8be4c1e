import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { eventually } from '../support/eventually.js';
import { paced } from '../support/waiting/paced.mjs';
import { freePort, ServiceProcess, shopProcess } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');

/**
 * What an operator meets in the first hour: a taken port, a folder that cannot be used, a start that is ended
 * too early.
 */
describe('starting the service', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'shop-start-'));
    dataDir = path.join(folder, 'data');
  });
  afterEach(async () => {
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    rmSync(folder, { recursive: true, force: true });
  });

  function launch(
    env: Record<string, string>,
    cwd = folder,
  ): ChildProcess & { exited: Promise<number | null>; said: () => string } {
    const child = spawn(process.execPath, [path.join(ROOT, 'dist/src/main.js')], {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    return Object.assign(child, { exited, said: () => said });
  }

  async function taken(): Promise<{ server: Server; port: string }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, port: String((server.address() as { port: number }).port) };
  }

  const tokensIn = (text: string) => text.match(/(?:read|write|admin) token +shop_live_\w{38}/g) ?? [];

  it('creates nothing if the port is in use, and names the port', async () => {
    const { server, port } = await taken();
    const failed = launch({ DATA_DIR: dataDir, PORT: port });
    expect(await failed.exited).toBe(1);
    expect(failed.said()).toBe(
      `Port ${port} is taken by another program, or by this service started before. ` +
        `Choose another one: PORT=${Number(port) + 1} npm start\n`,
    );
    expect(existsSync(dataDir)).toBe(false);
    server.close();
  });

  it('leaves nothing running after a failure, stop or kill; the first success shows the tokens', async () => {
    const unshown = path.join(dataDir, 'demo.unshown');

    // The port is taken while the database is being made: after the service has found the port free, and
    // before it listens.
    const port = String(await freePort());
    const failed = launch({ DATA_DIR: dataDir, PORT: port });
    await eventually('it makes the database', () => existsSync(dataDir));
    failed.kill('SIGSTOP');
    const server = createServer().listen(Number(port), '127.0.0.1');
    await once(server, 'listening');
    failed.kill('SIGCONT');
    expect(await failed.exited).toBe(1);
    expect(failed.said()).toContain(`Port ${port} is taken`);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    server.close();

    const stopped = launch({ DATA_DIR: dataDir, PORT: port });
    await eventually('the database is up', () => findEmbeddedPostgres(dataDir));
    stopped.kill('SIGTERM');
    expect(await stopped.exited).toBe(0);
    expect(stopped.said()).not.toContain('is up');
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();

    for (const delay of [0, 60, 250]) {
      const killed = launch({ DATA_DIR: dataDir, PORT: port });
      await eventually('it makes the demo store', () => existsSync(unshown));
      await paced(delay);
      killed.kill('SIGKILL');
      await killed.exited;
      // On a fast machine it was done already: then as if killed after the last line, before it could note
      // it.
      writeFileSync(unshown, '');
    }

    const service = await ServiceProcess.start({ DATA_DIR: dataDir, PORT: port });
    expect(tokensIn(service.output)).toHaveLength(3);
    await isWholeDemo(service);
    expect((await shopProcess({ DATA_DIR: dataDir }, 'store', 'list')).output).toHaveLength(1);
    expect(await service.stop()).toBe(0);
    const again = await ServiceProcess.start({ DATA_DIR: dataDir, PORT: port });
    expect(again.output).not.toContain('shop_live_');
    // So many at once that the pools have connections to close.
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${again.url}/health/ready`)));
    expect(await again.stop()).toBe(0);
    expect(again.output).toContain('"msg":"stopping"');
    expect(again.output).not.toMatch(/"level":(?!30)|"stack"/);
  });

  async function isWholeDemo({ url, output }: ServiceProcess): Promise<void> {
    const [, token] = /read token +(\S+)/.exec(output)!;
    const overview = await fetch(`${url}/v1/get_store_overview`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    });
    // What a start had begun is not there twice.
    expect(await overview.json()).toMatchObject({
      ok: true,
      data: { counts: { products: 30, customers: 40, orders: 308 } },
    });
    const [, email, password] = /owner +(\S+) +password (\S+)/.exec(output)!;
    const body = JSON.stringify({ email, password });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/dashboard/api/auth/sign-in`, { method: 'POST', headers, body })).status).toBe(
      200,
    );
  }

  it('ends at once, with one sentence, if the folder cannot contain the database', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    for (const bad of ['/proc/x', '/proc/x/y/z', file, path.join(file, 'data'), '/dev/null/data']) {
      const failed = launch({ DATA_DIR: bad, PORT: '0' });
      expect([bad, await failed.exited, failed.said().trim().split('\n')]).toEqual([
        bad,
        1,
        [
          expect.stringMatching(
            new RegExp(
              '^DATA_DIR: .* cannot hold the database: .*\\. ' +
                'Make it writable or choose another folder with DATA_DIR\\.$',
            ),
          ),
        ],
      ]);
    }
  });

  it('reads the .env of its working folder, and names variables that look misspelt', async () => {
    mkdirSync(dataDir);
    const file = path.join(folder, '.env');
    writeFileSync(file, `DATA_DIR=${dataDir}\nPORT=nonsense\nLOGLEVEL=a-secret\n`);
    const failed = launch({});
    expect(await failed.exited).toBe(1);
    expect(failed.said()).toBe(
      'LOGLEVEL is not a variable of the service and is not read. Did you mean LOG_LEVEL?\n' +
        'Configuration is not valid. PORT: must be a number\n',
    );
    writeFileSync(file, 'PORT');
    const malformed = launch({ DATA_DIR: dataDir });
    expect(await malformed.exited).toBe(1);
    expect(malformed.said()).toBe(
      `${file}: line 1 is not NAME=value; a value with quotes must end with the same\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe('PORT');
  });
});
