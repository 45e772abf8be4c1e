import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { paced } from '../../support/waiting/paced.mjs';
import { end, freePort, isRunning } from './servers.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built service as a process of its own, in the roles it is given. */
export class Service {
  /** @throws Error with what it said when it ends instead of coming up */
  static async start(env, { preload } = {}) {
    const service = new Service();
    const port = env.PORT ?? (await freePort());
    service.url = `http://127.0.0.1:${port}`;
    service.output = '';
    // Only what the service is told: nothing of the machine's own configuration.
    service.child = spawn(
      process.execPath,
      [...(preload ? ['--import', preload] : []), path.join(ROOT, 'dist/src/main.js')],
      {
        // A folder without `.env`: that of the project is its developer's.
        cwd: import.meta.dirname,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          HOST: '127.0.0.1',
          PORT: String(port),
          LOG_LEVEL: 'silent',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [service.child.stdout, service.child.stderr]) {
      stream.on('data', (data) => (service.output = (service.output + data).slice(-10_000)));
    }
    for (let i = 0; i < 1_200 && isRunning(service.child); i++) {
      if (service.output.includes('Shop administration is up')) return service;
      await paced(25);
    }
    await service.kill();
    throw new Error(`the service did not start: ${service.output}`);
  }

  get pid() {
    return this.child.pid;
  }

  get running() {
    return isRunning(this.child);
  }

  /** Resident memory in MiB, or null where the system does not tell. */
  get rssMb() {
    try {
      return Math.round(
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]) / 1024,
      );
    } catch {
      return null;
    }
  }

  signal(name) {
    this.child.kill(name);
  }

  kill() {
    return end(this.child, 'SIGKILL');
  }

  /** Asks it to stop. @returns the exit code and how long it took, in milliseconds */
  async stop() {
    const started = performance.now();
    const code = await end(this.child, 'SIGTERM');
    return { code, milliseconds: Math.round(performance.now() - started) };
  }
}
