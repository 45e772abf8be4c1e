import { type ChildProcess, spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { verify, webhookHeaders } from '../../src/webhooks/delivery/signature.js';
import { eventually } from '../support/eventually.js';
import { answers, Receiver } from '../support/servers/receiver.js';
import { shopProcess } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');
const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

/** `shop webhook listen` as a process of its own. */
class Listener {
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.on('data', (data: Buffer) => (this.stdout += data.toString()));
    child.stderr!.on('data', (data: Buffer) => (this.stderr += data.toString()));
    this.exited = new Promise((resolve) => child.once('exit', resolve));
  }

  /** With nothing configured and nothing it could reach: it needs no database. */
  static async start(...options: string[]): Promise<Listener> {
    const args = ['dist/src/cli.js', 'webhook', 'listen', '--port', '0', ...options];
    const env = { PATH: process.env.PATH, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const listener = new Listener(
      spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    await eventually('it listens', () => listener.stderr.includes('http://'));
    return listener;
  }

  get port(): number {
    return Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(this.stderr)![1]);
  }

  async lines(count: number): Promise<any[]> {
    await eventually(`${count} lines`, () => this.stdout.split('\n').length > count);
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Whoever reads what it prints is gone. */
  leave(): void {
    this.child.stdout!.destroy();
  }

  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exited;
  }
}

describe('shop webhook listen', () => {
  let listener: Listener;

  beforeAll(async () => {
    listener = await Listener.start('--secret', SECRET);
  });
  afterAll(() => listener.stop());

  const envelope = {
    id: 'd-1',
    event: 'order.created',
    createdAt: '2026-03-01T10:00:00.000Z',
    data: { id: 5 },
  };
  const body = Buffer.from(JSON.stringify(envelope));
  const post = async (headers: Record<string, string>, sent: Buffer = body) =>
    (
      await fetch(`http://127.0.0.1:${listener.port}/`, {
        method: 'POST',
        headers,
        body: new Uint8Array(sent),
      })
    ).status;

  it('prints each event as a line, and says why a signature does not match', async () => {
    const signed = webhookHeaders({
      event: 'order.created',
      deliveryId: 'd-1',
      secret: SECRET,
      body,
      at: new Date(),
    });
    const { 'X-Shop-Signature': _, ...unsigned } = signed;
    const statuses = [
      await post(signed),
      await post(unsigned),
      await post(
        webhookHeaders({
          event: 'order.created',
          deliveryId: 'd-1',
          secret: 'whsec_rotated',
          body,
          at: new Date(),
        }),
      ),
      await post(signed, Buffer.from(JSON.stringify(envelope, null, 1))),
    ];
    expect(statuses).toEqual([204, 401, 401, 401]);
    const event = { at: expect.any(String), event: 'order.created', delivery: 'd-1', body: envelope };
    expect(await listener.lines(4)).toEqual([
      { ...event, verified: true },
      { ...event, verified: false, reason: expect.stringContaining('X-Shop-Signature is missing') },
      { ...event, verified: false, reason: expect.stringMatching(/^wrong secret/) },
      { ...event, verified: false, reason: expect.stringMatching(/^body altered/) },
    ]);
    expect(listener.stdout + listener.stderr).not.toContain(SECRET);
  });

  it('can be reached only from this machine', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      await expect(fetch(`http://${address}:${listener.port}/`, { method: 'POST' })).rejects.toThrow();
    }
    await expect(fetch(`http://[::1]:${listener.port}/`, { method: 'POST' })).rejects.toThrow();
  });

  it('accepts bodies up to 4 MiB', async () => {
    const answer = await post({}, Buffer.alloc(4 * 1024 * 1024 + 1)).catch(() => 'hung up');
    expect([413, 'hung up']).toContain(answer);
    expect(await post({}, Buffer.alloc(100))).toBe(401);
  });

  it.each([
    [['--port', '70000', '--secret', SECRET], 1, 'port must be'],
    [['--port', 'x', '--secret', SECRET], 1, 'port must be'],
    [['--port', '0', '--secret', 'shop_live_x'], 1, 'secret must be'],
    [['--port', '0'], 2, 'one of --secret and --forward-to is required'],
    [['--forward-to', 'ftp://127.0.0.1/'], 1, 'forward-to must be'],
  ])('refuses %j', async (args, exitCode, words) => {
    const { code, output } = await shopProcess({}, 'webhook', 'listen', ...args);
    expect([code, output]).toEqual([
      exitCode,
      { error: { code: 'invalid_input', message: expect.stringContaining(words) } },
    ]);
  });

  it('forwards requests unchanged, and returns the response to them', async () => {
    const receiver = await Receiver.start();
    receiver.next(answers.status(202), answers.status(500));
    const forwarding = await Listener.start('--forward-to', receiver.url);
    const signed = webhookHeaders({
      event: 'order.created',
      deliveryId: 'd-1',
      secret: SECRET,
      body,
      at: new Date(),
    });
    const send = async () => {
      const init = { method: 'POST', headers: signed, body: new Uint8Array(body) };
      return (await fetch(`http://127.0.0.1:${forwarding.port}/`, init)).status;
    };
    expect([await send(), await send()]).toEqual([202, 500]);
    const [{ headers, body: received }] = receiver.received;
    expect(verify(SECRET, received, headers['x-shop-signature'] as string)).toBe(true);
    expect(headers).toMatchObject({
      'x-shop-event': 'order.created',
      'x-shop-delivery': 'd-1',
      'user-agent': 'Shop-Webhooks/1',
    });
    await receiver.stop();
    expect(await send()).toBe(502);
    const event = { verified: null, event: 'order.created', delivery: 'd-1', body: envelope };
    expect(await forwarding.lines(3)).toMatchObject([
      { ...event, forwarded: { status: 202 } },
      { ...event, forwarded: { status: 500 } },
      { ...event, forwarded: { error: expect.stringContaining('ECONNREFUSED') } },
    ]);
    await forwarding.stop();
  });

  it('exits with a message when nobody reads its output any more', async () => {
    const unread = await Listener.start('--secret', SECRET);
    unread.leave();
    await fetch(`http://127.0.0.1:${unread.port}/`, { method: 'POST' }).catch(() => undefined);
    expect(await unread.exited).toBe(1);
    expect(unread.stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^what arrives could not be written: .*EPIPE/),
      '',
    ]);
  });

  it('reports a port in use, and exits on a signal', async () => {
    const taken = await shopProcess(
      {},
      'webhook',
      'listen',
      '--port',
      String(listener.port),
      '--secret',
      SECRET,
    );
    expect(taken.output.error).toEqual({
      code: 'invalid_input',
      message: expect.stringContaining('EADDRINUSE'),
    });
    expect(await listener.stop()).toBe(0);
  });
});
