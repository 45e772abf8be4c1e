import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { freePort } from './service-process.js';

/** The test's own real Redis, without persistence: after a kill its data is gone. */
export class RedisServer {
  private child: ChildProcess;

  private constructor(readonly port: number) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** @param options for redis-server, after its own */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart(...options);
    return server;
  }

  async restart(...options: string[]): Promise<void> {
    this.child = spawn(
      'redis-server',
      [
        '--port',
        String(this.port),
        '--bind',
        '127.0.0.1',
        '--dir',
        tmpdir(),
        '--dbfilename',
        `shop-redis-${this.port}.rdb`,
        '--save',
        '',
        '--appendonly',
        'no',
        ...options,
      ],
      {
        stdio: 'ignore',
      },
    );
    const { child } = this;
    await eventually('redis-server answers', () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      return this.command('ping').catch(() => null);
    });
  }

  /** One command on a connection of its own. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGCONT');
    this.child.kill('SIGKILL');
    await exited;
  }
}
