import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { paced } from '../waiting/paced.mjs';
import { RedisServer } from './redis-server.js';
import { freePort } from './service-process.js';

const NAME = 'mymaster';
const DOWN_AFTER_MS = 1_000;

/** A master, its replica, and three sentinels that watch them, all as real processes. */
export class RedisSentinels {
  private readonly processes: ChildProcess[] = [];
  private readonly ports: number[] = [];

  private constructor(
    private readonly folder: string,
    private readonly servers: RedisServer[],
  ) {}

  static async start(): Promise<RedisSentinels> {
    const master = await RedisServer.start();
    const replica = await RedisServer.start('--replicaof', '127.0.0.1', String(master.port));
    const group = new RedisSentinels(mkdtempSync(path.join(tmpdir(), 'shop-sentinels-')), [master, replica]);
    for (let i = 0; i < 3; i++) await group.startSentinel(master.port);
    // A sentinel that does not know the other sentinels and the replica yet cannot elect a master.
    await until('the sentinels know each other and the replica', async () => {
      const [state] = (await group.ask('masters')) as string[][];
      const of = (field: string) => Number(state[state.indexOf(field) + 1]);
      return of('num-slaves') === 1 && of('num-other-sentinels') === 2;
    });
    return group;
  }

  get url(): string {
    return `redis+sentinel://${this.ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`;
  }

  /** The server that is the master at the moment, according to the sentinels. */
  async master(): Promise<RedisServer> {
    const [, port] = (await this.ask('get-master-addr-by-name', NAME)) as string[];
    return this.servers.find((server) => server.port === Number(port))!;
  }

  /** Waits until a server other than `old` is the master. */
  async failover(old: RedisServer): Promise<void> {
    await until('another server is the master', async () => (await this.master()) !== old);
  }

  /** Restarts a killed server, which the sentinels make a replica. */
  async bringBack(server: RedisServer): Promise<void> {
    await server.restart();
    await until('it is a replica', async () => String(await server.command('role')).startsWith('slave'));
    // Only a replica that has caught up can be elected.
    await until('it has caught up', async () =>
      /master_link_status:up/.test(String(await server.command('info', 'replication'))),
    );
    // No sentinel takes it for down any more.
    await paced(2 * DOWN_AFTER_MS);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
    for (const child of this.processes) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async startSentinel(masterPort: number): Promise<void> {
    const port = await freePort();
    const file = path.join(this.folder, `${port}.conf`);
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${this.folder}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${NAME} 4000`,
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    this.processes.push(spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' }));
    this.ports.push(port);
    await until('it answers', async () => (await this.ask('masters')) !== null);
  }

  /** One command to the sentinel started last. */
  private async ask(...command: string[]): Promise<unknown> {
    const client = new Redis(this.ports[this.ports.length - 1], '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call('sentinel', ...command);
    } finally {
      client.disconnect();
    }
  }
}

/** What cannot be asked of a sentinel yet is not so yet. */
const until = (what: string, condition: () => Promise<boolean>) =>
  eventually(what, () => condition().catch(() => false));
