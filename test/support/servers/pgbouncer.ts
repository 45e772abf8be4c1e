import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../eventually.js';
import { freePort } from './service-process.js';

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;
const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer';

export type PoolMode = 'session' | 'transaction';

/** The usable modes of the installed version. Prepared statements work in transaction mode from 1.21 on. */
export function poolModes(): PoolMode[] {
  const { stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  const [, minor] = /PgBouncer 1\.(\d+)/.exec(stdout)!;
  return Number(minor) >= 21 ? ['session', 'transaction'] : ['session'];
}

/** A real PgBouncer in front of the server of `ownerUrl`, configured as in docs/operations.md. */
export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @param settings override those of docs/operations.md */
  static async start(
    ownerUrl: string,
    mode: PoolMode,
    settings: Record<string, string | number> = {},
  ): Promise<PgBouncer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-pgbouncer-'));
    const { hostname, port: serverPort, username, password } = new URL(ownerUrl);
    const port = await freePort();
    const values = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: path.join(folder, 'users.txt'),
      auth_user: decodeURIComponent(username),
      auth_query: 'select usename, passwd from pg_shadow where usename = $1',
      pool_mode: mode,
      default_pool_size: mode === 'session' ? 100 : 8,
      max_client_conn: 400,
      ...(mode === 'transaction' ? { max_prepared_statements: 1000 } : {}),
      ...settings,
    };
    const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
    const file = path.join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      ['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n'),
    );
    writeFileSync(values.auth_file, `"${values.auth_user}" "${decodeURIComponent(password)}"\n`);
    const isRoot = process.getuid!() === 0;
    chmodSync(folder, 0o700);
    if (isRoot) for (const name of [folder, file, values.auth_file]) chownSync(name, NOBODY, NOBODY);
    const child = spawn(PROGRAM, ['-q', file], {
      stdio: 'ignore',
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const pooler = new PgBouncer(child, folder, port);
    try {
      await eventually('pgbouncer answers', () => {
        if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
        return pooler.answers();
      });
    } catch (error) {
      await pooler.stop();
      throw error;
    }
    return pooler;
  }

  /** The same database and login, through the pooler. */
  through(url: string): string {
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    return once(socket, 'connect')
      .then(
        () => true,
        () => false,
      )
      .finally(() => socket.destroy());
  }
}
