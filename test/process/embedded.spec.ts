import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { Receiver } from '../support/servers/receiver.js';
import { freePort, ServiceProcess, shopProcess, shopInShell } from '../support/servers/service-process.js';

/** The README's first command: the service with nothing but Node, on its embedded database. */
describe('the embedded default', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-embedded-'));
  const dataDir = path.join(folder, 'closed', 'data');
  let env: Record<string, string>;
  let service: ServiceProcess;

  beforeAll(async () => {
    mkdirSync(path.dirname(dataDir), { mode: 0o700 });
    env = { DATA_DIR: dataDir, PORT: String(await freePort()), WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' };
    service = await ServiceProcess.start(env);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints nothing before its greeting', () => {
    expect(service.output).toMatch(/^\nShop administration is up: /);
    expect(service.errors).toBe('');
  });

  it('prints the addresses of the dashboard and MCP, and the login', async () => {
    const base = `http://localhost:${env.PORT}`;
    for (const path of ['dashboard', 'mcp', 'docs'])
      expect(service.output).toMatch(new RegExp(`: +${base}/${path}\n`));
    const [, email, password] = /owner +(\S+@\S+) +password (\S+)\n/.exec(service.output)!;
    const signedIn = await fetch(`${service.url}/dashboard/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(signedIn.status).toBe(200);
  });

  it('creates a demo store and prints a curl line that works when pasted', () => {
    for (const scope of ['read', 'write', 'admin'])
      expect(service.output).toMatch(new RegExp(`${scope} token +shop_live_[0-9A-Za-z]{38}\n`));
    const curl = service.output.split('\n').find((line) => line.startsWith('curl'))!;
    const answer = JSON.parse(
      execFileSync('bash', ['-c', curl.replace('localhost', '127.0.0.1')]).toString(),
    );
    expect(answer).toMatchObject({ ok: true, data: { items: [{ id: expect.any(Number) }, {}] } });
  });

  it('serves its documentation, probes and metrics', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(Object.keys(document.paths)).toContain('/v1/get_order');
    const page = await (await fetch(`${service.url}/docs`)).text();
    for (const [, file] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const response = await fetch(`${service.url}/${file}`);
      expect({ file, status: response.status, size: (await response.text()).length > 20 }).toEqual({
        file,
        status: 200,
        size: true,
      });
    }
    expect(await (await fetch(`${service.url}/health/live`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', key: 'ok' },
    });
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
      /shop_request_duration_seconds_count/,
    );
  });

  it('is of the same version as the command line, which doctor compares', async () => {
    const { checks } = (await shopProcess(env, 'doctor')).output as {
      checks: { check: string; ok: boolean }[];
    };
    expect(checks).toContainEqual(expect.objectContaining({ check: 'version', ok: true }));
  });

  it('is named by commands, on standard error unless they print JSON, and by doctor', async () => {
    const list = (line: string) => shopInShell(env, line, 'store', 'list');
    const where = `embedded database in ${dataDir}`;
    expect(await list('"$@"')).toMatchObject({ code: 0, stderr: `On the ${where}\n` });
    expect(await list('"$@" --json')).toMatchObject({ code: 0, stderr: '' });
    const { checks } = (await shopProcess(env, 'doctor')).output as {
      checks: { check: string; found: string }[];
    };
    expect(checks.find(({ check }) => check === 'database')!.found).toContain(`The ${where} answers`);
  });

  it('can be set up by the command line while it runs, from a store to its first webhook', async () => {
    const created = await shopProcess(
      env,
      'store',
      'create',
      '--name',
      'Corner shop',
      '--currency',
      'EUR',
      '--owner-email',
      'Ann@Shop.example',
    );
    expect(created).toMatchObject({
      code: 0,
      output: { name: 'Corner shop', currency: 'EUR', plan: 'pro', ownerEmail: 'ann@shop.example' },
    });
    expect(created.output.ownerPassword).toMatch(/^[0-9a-f]{24}$/);
    const store = created.output.id as string;
    expect((await shopProcess(env, 'store', 'list')).output).toHaveLength(2);

    const signIn = (password: string) =>
      fetch(`${service.url}/dashboard/api/auth/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'ann@shop.example', password }),
      });
    expect((await signIn(created.output.ownerPassword)).status).toBe(200);
    const lost = await shopProcess(env, 'user', 'password', '--email', 'Ann@shop.example');
    expect(lost.output).toEqual({ email: 'ann@shop.example', password: expect.any(String) });
    expect((await signIn(created.output.ownerPassword)).status).toBe(401);
    expect((await signIn(lost.output.password)).status).toBe(200);

    const receiver = await Receiver.start();
    const first = await shopProcess(env, 'webhook', 'set', '--store', store, '--url', receiver.url);
    expect(first.output).toEqual({ url: receiver.url, secret: expect.stringMatching(/^whsec_/) });
    expect(
      (await shopProcess(env, 'webhook', 'set', '--store', store, '--url', receiver.url)).output,
    ).toEqual({
      url: receiver.url,
    });

    const token = await shopProcess(
      env,
      'token',
      'create',
      '--store',
      store,
      '--name',
      'erp',
      '--scope',
      'admin',
      '--expires-in-days',
      '2',
    );
    expect(Date.parse(token.output.expiresAt) - Date.now()).toBeGreaterThan(1.9 * 86_400_000);
    const call = (operation: string, input: object) =>
      fetch(`${service.url}/v1/${operation}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token.output.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
    expect(await (await call('list_orders', {})).json()).toEqual({
      ok: true,
      data: { items: [], nextCursor: null },
    });

    const file = path.join(folder, 'order.json');
    writeFileSync(
      file,
      JSON.stringify({
        messengerUserId: '77',
        items: [{ productId: 'none', quantity: 1 }],
        paymentMethod: 'cash',
      }),
    );
    const refused = await shopProcess(env, 'order', 'place', '--store', store, '--file', file);
    expect(refused).toMatchObject({
      code: 1,
      output: { error: { code: 'invalid_input', message: expect.stringContaining('items[0].productId') } },
    });
    writeFileSync(file, Buffer.from('{"messengerUserId":"77","firstName":"Ren\xe9"}', 'latin1'));
    expect((await shopProcess(env, 'order', 'place', '--store', store, '--file', file)).output).toEqual({
      error: { code: 'invalid_input', message: 'file must hold valid JSON in UTF-8' },
    });

    const demo = (await shopProcess(env, 'store', 'list')).output.find(
      ({ name }: { name: string }) => name === 'Demo store',
    ).id;
    await shopProcess(env, 'webhook', 'set', '--store', demo, '--url', receiver.url);
    const order = {
      messengerUserId: '9007199254740995',
      items: [{ productId: 'mug-classic', quantity: 1 }],
      paymentMethod: 'cash',
      paid: true,
    };
    // As some editors write it.
    writeFileSync(file, `\ufeff${JSON.stringify(order)}`);
    const placed = await shopProcess(env, 'order', 'place', '--store', demo, '--file', file);
    expect(placed.output).toMatchObject({
      status: 'PROCESSING',
      totalPrice: 1250,
      messengerUserId: '9007199254740995',
    });
    const [request] = await receiver.waitFor(1);
    expect(request.json).toMatchObject({ event: 'order.created', data: placed.output });
    const [delivery] = (await shopProcess(env, 'webhook', 'deliveries', '--store', demo, '--take', '1'))
      .output;
    expect(delivery).toMatchObject({
      id: request.json.id,
      event: 'order.created',
      orderId: placed.output.id,
    });
    await receiver.stop();

    const revoked = await shopProcess(env, 'token', 'revoke', '--store', store, '--id', token.output.id);
    expect(revoked.output).toEqual({ id: token.output.id, revokedAt: expect.any(String) });
    expect((await call('list_orders', {})).status).toBe(401);
    // Some fifteen processes, one after another, on whatever machine.
  }, 180_000);

  it('prints an invitation for an owner who has an account', async () => {
    const again = [
      'store',
      'create',
      '--name',
      'Second',
      '--currency',
      'EUR',
      '--owner-email',
      'ann@shop.example',
    ];
    const refused = await shopProcess(env, ...again, '--owner-password', 'a horse of the operator');
    expect(refused).toMatchObject({ code: 1, output: { error: { code: 'invalid_input' } } });
    expect(refused.output.error.message).toMatch(/^ownerPassword/);
    expect((await shopProcess(env, ...again)).output).toEqual({
      id: expect.any(String),
      name: 'Second',
      currency: 'EUR',
      plan: 'pro',
      ownerEmail: 'ann@shop.example',
      ownerPassword: null,
      invitation: expect.stringMatching(/\/dashboard\/accept-invitation#[\w-]{43}$/),
    });
  });

  it('lists its commands when asked, and shows the options of one', async () => {
    const [all, also, of, one] = await Promise.all([
      shopProcess(env, 'help'),
      shopProcess(env, '--help'),
      shopProcess(env, 'help', 'store'),
      shopProcess(env, 'token', 'create', '--help'),
    ]);
    const names = (help: { output: { command: string }[] }) => help.output.map(({ command }) => command);
    expect(all.code).toBe(0);
    expect(names(all)).toEqual(expect.arrayContaining(['store create', 'doctor', 'backup', 'migrate']));
    expect(also).toEqual(all);
    expect(names(of)).toEqual([
      'store create',
      'store list',
      'store suspend',
      'store resume',
      'store move',
      'store export',
      'store delete',
    ]);
    expect(one.output).toEqual([
      {
        command: 'token create',
        summary: 'Make an API token. It is shown only now.',
        options: [
          { option: '--store', value: 'ID', required: true },
          { option: '--name', value: 'N', required: true },
          { option: '--scope', value: 'read|write|admin', required: true },
          { option: '--groups', value: 'G,G', required: false },
          { option: '--expires-in-days', value: 'D', required: false },
        ],
      },
    ]);
  });

  it('reports what is wrong as JSON, with exit code 1, or 2 for a wrong command or option', async () => {
    const cases: [string[], number, string][] = [
      [[], 2, 'A command has to come first. Commands:\n  shop store create --name N '],
      [['--store', 'x', 'store', 'list'], 2, "unknown option '--store'"],
      [['nope'], 2, "unknown command 'nope'"],
      [
        ['token', 'creat'],
        2,
        "unknown command 'creat'\n(Did you mean create?)\n\nUsage:\n  shop token create ",
      ],
      [['hlp'], 2, "unknown command 'hlp'\n(Did you mean help?)\nshop help lists all commands"],
      [['webhook', 'deliveries'], 2, 'exactly one of --store and --all is required'],
      [['webhook', 'deliveries', '--all'], 2, 'add --failed'],
      [['help', 'nope'], 2, "unknown command 'nope'"],
      [['store', 'list', '--serach', 'x'], 2, '(Did you mean --search?)'],
      [['store', 'delete', '--store', 'x', '--store', 'y', '--yes'], 2, '--store is given more than once'],
      [['store', 'create', '--name', 'x'], 2, "required option '--currency <USD>' not specified"],
      [
        ['store', 'create', '--name', 'x', '--currency', 'QQQ', '--owner-email', 'a@b.example'],
        1,
        'currency must be',
      ],
      [['token', 'create', '--store', 'x', '--name', 'n', '--scope', 'root'], 1, 'scope must be one of'],
      [['store', 'list', 'x'], 2, 'too many arguments'],
      [['nope', '--help'], 2, "unknown command 'nope'"],
      [['store'], 2, 'Usage:\n  shop store create '],
      [['store', 'list', '--yes'], 2, "unknown option '--yes'"],
      [['store', 'list', '--search'], 2, '--search has no value'],
      // A value is no usage: whether it is right, often only the store knows.
      [['webhook', 'deliveries', '--store', 'x', '--take', 'abc'], 1, 'take must be an integer'],
      [['webhook', 'deliveries', '--store', 'x'], 1, 'no such store'],
    ];
    for (const [args, exitCode, message] of cases) {
      const { code, output } = await shopProcess(env, ...args);
      expect({ args, code, output }).toEqual({
        args,
        code: exitCode,
        output: { error: { code: expect.any(String), message: expect.stringContaining(message) } },
      });
    }
    expect(
      await shopProcess(
        { ...env, NODE_ENV: 'production', WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' },
        'demo',
        'seed',
      ),
    ).toMatchObject({
      code: 1,
      output: { error: { code: 'forbidden' } },
    });
    expect((await shopProcess(env, 'migrate')).output).toEqual([]);
  });

  it('lists its commands on standard error if none is given', async () => {
    const { code, stdout, stderr } = await shopInShell(env, '"$@"');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^A command has to come first. Commands:\n {2}shop store create --name N /);
  });

  it('prints a long result completely, even to a slow reader', async () => {
    const [{ id }] = (await shopProcess(env, 'store', 'list')).output as { id: string }[];
    const args = ['webhook', 'deliveries', '--store', id, '--take', '1000'];
    const { output, stdout } = await shopProcess(env, ...args);
    // What a pipe holds by itself is 64 KiB.
    expect(stdout.length).toBeGreaterThan(80_000);
    const slow = await shopInShell(env, `"$@" --json | (sleep 2; cat)`, ...args);
    expect(JSON.parse(slow.stdout)).toEqual(output);
  });

  it('exits with code 1 if its result cannot be written', async () => {
    const [{ id }] = (await shopProcess(env, 'store', 'list')).output as { id: string }[];
    const long = ['webhook', 'deliveries', '--store', id, '--take', '1000'];
    for (const [script, args, reason] of [
      ['"$@" --json > /dev/full', ['store', 'list'], 'ENOSPC'],
      ['"$@" > /dev/full', ['store', 'list'], 'ENOSPC'],
      ['"$@" > /dev/full', ['help'], 'ENOSPC'],
      ['set -o pipefail; "$@" --json | true', long, 'EPIPE'],
    ] as const) {
      const { code, stdout, stderr } = await shopInShell(env, script, ...args);
      expect({ script, code, stdout, stderr }).toEqual({
        script,
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`^(On the .*\\n)?the result could not be written: .*${reason}.*\\n$`),
        ),
      });
    }
  });

  it('keeps its data after a stop and a kill -9, and prints no token again', async () => {
    const before = (await shopProcess(env, 'store', 'list')).output;
    expect(await service.stop()).toBe(0);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    // With the service stopped the command line starts the database by itself, and stops it again.
    expect((await shopProcess(env, 'store', 'list')).output).toEqual(before);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();

    // Several commands at once have one database, which the last of them stops.
    const several = await Promise.all([1, 2, 3].map(() => shopProcess(env, 'store', 'list')));
    expect(several.map(({ code, output }) => [code, output])).toEqual([1, 2, 3].map(() => [0, before]));
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();

    service = await ServiceProcess.start(env);
    expect(service.output).not.toContain('shop_live_');
    expect(service.output).toContain('token create');
    await service.kill();
    service = await ServiceProcess.start(env);
    expect((await shopProcess(env, 'store', 'list')).output).toEqual(before);
  });

  it('leaves no secret readable by others in its folder', () => {
    const log = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
    expect(log).not.toContain(readFileSync(path.join(dataDir, 'postgres.password'), 'utf8').trim());
    expect(readdirSync(dataDir)).toEqual(
      expect.arrayContaining(['encryption.key', 'postgres', 'postgres.password']),
    );
  });
});

describe('a broken configuration', () => {
  it('includes a key file that contains something other than keys: nothing is created with it', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'shop-key-'));
    const file = path.join(dataDir, 'encryption.key');
    for (const keys of ['', 'garbage', `${KEY},garbage`]) {
      writeFileSync(file, keys);
      const { code, output } = await shopProcess({ DATA_DIR: dataDir }, 'migrate');
      expect([code, output]).toEqual([
        1,
        {
          error: {
            code: 'invalid_input',
            message: expect.stringContaining(`${file} must be 32 bytes in base64`),
          },
        },
      ]);
    }
    expect(readdirSync(dataDir)).toEqual(['encryption.key']);
    rmSync(dataDir, { recursive: true });
  });

  const KEY = Buffer.alloc(32).toString('base64');

  it.each([
    [{ PORT: 'abc' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'ENCRYPTION_KEY'],
    [{ ENCRYPTION_KEY: 'short' }, 'ENCRYPTION_KEY'],
    [{ PORT: '0x50' }, 'PORT'],
    [{ PORT: ' ' }, 'PORT'],
    [{ ENCRYPTION_KEY: `${Buffer.alloc(32).toString('base64')}!!` }, 'ENCRYPTION_KEY'],
    [{ WEBHOOK_RETRY_DELAYS: '1,x' }, 'WEBHOOK_RETRY_DELAYS'],
    [{ WEBHOOK_RETRY_DELAYS: '60,300,' }, 'WEBHOOK_RETRY_DELAYS'],
    [{ WEBHOOK_RETRY_DELAYS: '1e18' }, 'WEBHOOK_RETRY_DELAYS'],
    [{ WEBHOOK_TIMEOUT: '0.0001' }, 'WEBHOOK_TIMEOUT'],
    [{ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', NODE_ENV: 'production' }, 'WEBHOOK_ALLOW_PRIVATE_TARGETS'],
    [{ LOG_LEVEL: 'loud', RATE_LIMIT_READ: '-1' }, 'LOG_LEVEL'],
    [{ HOST: 'no host' }, 'HOST: no host is neither'],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', ENCRYPTION_KEY: KEY },
      'DATABASE_URL: the database cannot be connected to: ',
    ],
    [
      {
        DATABASE_URL: 'postgres://127.0.0.1:2/x',
        DATABASE_DIRECT_URL: 'postgres://127.0.0.1:1/x',
        ENCRYPTION_KEY: KEY,
      },
      'DATABASE_DIRECT_URL: the database cannot be connected to: ',
    ],
  ])('stops the start with one clear message: %j', async (env, name) => {
    const failure: Error = await ServiceProcess.start(env as unknown as Record<string, string>).then(
      () => Promise.reject(new Error('it started')),
      (error: Error) => error,
    );
    expect(failure.message).toMatch(new RegExp(`^the service ended with 1: [^\\n]*${name}`));
    expect(failure.message.trim().split('\n')).toHaveLength(1);
  });
});
