import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { OnlineCommand } from '../../../src/operator/cli/command.js';
import { ALL_COMMANDS } from '../../../src/operator/cli/commands.js';
import { runCommand } from '../../../src/operator/cli/run-command.js';
import { eventually } from '../eventually.js';
import { freePort } from './free-port.mjs';

export { freePort };

const ROOT = path.resolve(__dirname, '../../..');
/** A working folder without `.env`, because the one in the project belongs to the developer. */
export const WORKING_FOLDER = __dirname;
const built = (name: string) => path.join(ROOT, 'dist/src', name);

/** Only the given variables, without the machine's own configuration. */
function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
}

/** The built service as a separate process. */
export class ServiceProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    private readonly outputs: { stdout: string; stderr: string },
  ) {}

  /**
   * @param nodeArguments arguments for Node itself, before the program
   * @throws Error with the process's output if it exits instead of starting
   */
  static async start(env: Record<string, string>, nodeArguments: string[] = []): Promise<ServiceProcess> {
    const port = env.PORT ?? String(await freePort());
    const child = spawn(process.execPath, [...nodeArguments, built('main.js')], {
      cwd: WORKING_FOLDER,
      env: environment({ HOST: '127.0.0.1', PORT: port, ...env }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const outputs = { stdout: '', stderr: '' };
    child.stdout!.on('data', (data: Buffer) => (outputs.stdout += data.toString()));
    child.stderr!.on('data', (data: Buffer) => (outputs.stderr += data.toString()));
    const service = new ServiceProcess(child, `http://127.0.0.1:${port}`, outputs);
    const isUp = () => {
      if (child.exitCode !== null)
        throw new Error(`the service ended with ${child.exitCode}: ${outputs.stderr}${outputs.stdout}`);
      return outputs.stdout.includes('Shop administration is up');
    };
    await eventually('the service is up', isUp).catch(async (error: unknown) => {
      await service.kill();
      throw error;
    });
    return service;
  }

  get output(): string {
    return this.outputs.stdout;
  }

  get errors(): string {
    return this.outputs.stderr;
  }

  /** @returns the exit code; null if a signal ended the process */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return exited;
  }

  async kill(): Promise<void> {
    await this.stop('SIGKILL');
  }
}

interface Ran {
  code: number;
  output: any;
  stdout: string;
  stderr: string;
}

const ran = ({ code, stdout, stderr }: Ended): Ran => ({
  code,
  output: stdout === '' ? undefined : JSON.parse(stdout),
  stdout,
  stderr,
});

/**
 * Runs the operator's command line in this process, on a database that is there.
 * @returns the JSON it printed, and its exit code
 */
export async function shop(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const into = (name: keyof typeof written) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written[name] += chunk.toString();
        done();
      },
    });
  const code = await runCommand([...args, '--json'], {
    ...{ env: environment({ LOG_LEVEL: 'silent', ...env }), cwd: () => WORKING_FOLDER },
    ...{ stdout: into('stdout'), stderr: into('stderr') },
  });
  return ran({ code, ...written });
}

/** The code of a command that runs on the database. */
export const commandCode = async (name: string): Promise<OnlineCommand> =>
  (await ALL_COMMANDS.find((command) => command.name === name)!.code()) as OnlineCommand;

/** Runs the built command line as a process of its own, as an operator does. */
export async function shopProcess(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  return ran(await ended(env, process.execPath, built('cli.js'), ...args, '--json'));
}

/** Runs a line of Bash, in which `"$@"` is the operator's command line with `args`. */
export async function shopInShell(
  env: Record<string, string>,
  line: string,
  ...args: string[]
): Promise<Ended> {
  return ended(env, 'bash', '-c', line, 'bash', process.execPath, built('cli.js'), ...args);
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function ended(env: Record<string, string>, file: string, ...args: string[]): Promise<Ended> {
  return promisify(execFile)(file, args, { cwd: WORKING_FOLDER, env: environment(env) }).then(
    (done) => ({ code: 0, ...done }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}
