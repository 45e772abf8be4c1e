import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '../../src/platform/version.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');
const PROJECT = [
  ...['package.json', 'tsconfig.json', 'nest-cli.json'],
  ...['scripts/swc.json', 'scripts/process-lock.mjs'],
];

/** A copy of the project's configuration, with the given folders of sources. */
function project(...folders: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-nest-'));
  for (const name of [...PROJECT, ...folders])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

describe("Nest's own commands", () => {
  const folders: string[] = [];
  const running: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once('close', resolve));
      process.kill(-child.pid!);
      await ended;
    }
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a program until it or the test ends. `says` waits until it has said a text so many times. */
  function start(folder: string, command: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, so that the end of the test ends all of its processes.
      detached: true,
    });
    running.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    const says = (text: string, times = 1) =>
      eventually(`it says ${text}`, () => {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said}`);
        return said.split(text).length > times;
      });
    return { child, says, said: () => said };
  }

  it('nest build makes a service that runs', async () => {
    const folder = project('src', 'migrations');
    folders.push(folder);
    await promisify(execFile)('npx', ['nest', 'build'], { cwd: folder });
    const { ownerUrl } = await preparedDatabase();
    const port = String(await freePort());
    const { says } = start(folder, process.execPath, ['dist/src/main.js'], {
      HOST: '127.0.0.1',
      PORT: port,
      DATABASE_URL: ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
    });
    await says('Shop administration is up');
    const health = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
  });

  it('npm run start:dev serves every edit, also two at once, on the database as it is', async () => {
    const folder = project('src', 'migrations', 'CHANGELOG.md');
    folders.push(folder);
    const dataDir = path.join(folder, 'data');
    const port = String(await freePort());
    const env = { NODE_ENV: 'production', SHUTDOWN_DELAY: '0', HOST: '127.0.0.1' };
    const { child, says, said } = start(folder, 'npm', ['run', 'start:dev'], {
      ...env,
      DATA_DIR: dataDir,
      PORT: port,
    });
    await says('Shop administration is up');
    const served = async () => {
      const document = await fetch(`http://127.0.0.1:${port}/openapi.json`).then((answer) => answer.json());
      return (document as { info: { version: string } }).info.version;
    };
    const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
    const before = readFileSync(pidFile, 'utf8');
    const source = path.join(folder, 'src/platform/version.ts');
    const text = readFileSync(source, 'utf8');
    const edit = (version: string) => writeFileSync(source, text.replace(VERSION, version));
    edit('2.0.0');
    await eventually('the edit is served', async () => (await served().catch(() => null)) === '2.0.0');
    edit('3.0.0');
    await says('stopping', 2);
    edit('4.0.0');
    await eventually('the last edit is served', async () => (await served().catch(() => null)) === '4.0.0');
    expect(readFileSync(pidFile, 'utf8')).toBe(before);
    expect(said()).not.toMatch(/"level":[56]0|could not start/);
    child.kill('SIGINT');
    await eventually('the database has been stopped', () => !existsSync(pidFile));
  }, 240_000);

  describe('in a program that prints a word', () => {
    let folder: string;
    const write = (word: string) =>
      writeFileSync(
        path.join(folder, 'src/main.ts'),
        `const word: string = '${word}';\nconsole.log('It says', word);\n` +
          'setInterval(() => undefined, 1000);\n',
      );
    beforeEach(() => {
      folders.push((folder = project()));
      for (const name of ['src', 'migrations']) mkdirSync(path.join(folder, name));
    });

    it('nest start runs what was edited after a build', async () => {
      write('first');
      await promisify(execFile)('npx', ['nest', 'build'], { cwd: folder });
      write('second');
      await start(folder, 'npx', ['nest', 'start']).says('It says second');
    });

    it('npm run start:dev runs every edit', async () => {
      write('first');
      const { says } = start(folder, 'npm', ['run', 'start:dev']);
      await says('It says first');
      for (const word of ['second', 'third']) {
        write(word);
        await says(`It says ${word}`);
      }
    });
  });
});
