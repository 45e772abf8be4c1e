import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { eventually } from '../support/eventually.js';

const ROOT = path.resolve(__dirname, '../..');
const BUILDING = 'Building what has changed';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A project with the scripts of this one; npm runs its scripts in the folder of its package.json. */
function project(folder: string): void {
  for (const name of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
}

function npm(folder: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr: stderr.replace(/^npm warn .*\n/gm, '') }),
    );
  });
}

describe('npm start and npm run shop', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-launch-'));
  const source = path.join(folder, 'src/cli.ts');

  beforeAll(() => {
    project(folder);
    for (const name of ['src/operator/cli', 'migrations'])
      mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, 'src/main.ts'), '');
    write('first');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(answer: string): void {
    writeFileSync(
      source,
      `const answer: string = ${JSON.stringify(answer)};\n` +
        "console.log(answer, process.argv.slice(2).join(' '));\n",
    );
  }

  it('compile once, even if several start at the same time or a killed build has left a lock', async () => {
    mkdirSync(path.join(folder, 'dist'));
    writeFileSync(path.join(folder, 'dist/.building'), '1073741823 1');
    const ended = await Promise.all([
      npm(folder, 'shop', '--', 'a', '--json'),
      npm(folder, 'shop', '--', 'b c'),
    ]);
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, 'first a --json\n'],
      [0, 'first b c\n'],
    ]);
    const compiled = readFileSync(path.join(folder, 'dist/.built'), 'utf8');
    expect(await npm(folder, 'shop')).toEqual({ code: 0, stdout: 'first \n', stderr: '' });
    expect(readFileSync(path.join(folder, 'dist/.built'), 'utf8')).toBe(compiled);
  });

  it('compile the files of a checkout, however old they are', async () => {
    write('second');
    utimesSync(source, 0, 0);
    expect(await npm(folder, 'shop')).toMatchObject({
      code: 0,
      stdout: 'second \n',
      stderr: expect.stringContaining(BUILDING),
    });
  });

  it('build again after `nest build` has put other files in place of the bundles', async () => {
    writeFileSync(path.join(folder, 'dist/src/main.js'), 'console.log("of another build");');
    expect(await npm(folder, 'shop')).toMatchObject({ code: 0, stderr: expect.stringContaining(BUILDING) });
    expect(await npm(folder, 'shop')).toMatchObject({ code: 0, stderr: '' });
  });

  it('run nothing after a build that failed, not even its remains', async () => {
    writeFileSync(source, `const answer: string = 'third;\nconsole.log(answer);\n`);
    expect(await npm(folder, 'shop')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('src/cli.ts'),
    });
    write('second');
    expect(await npm(folder, 'shop')).toMatchObject({ code: 0, stdout: 'second \n' });
  });

  it('keep the files that a running process has not loaded yet', async () => {
    // What a program has and what it loads later have functions of a third file in common: in the next
    // version more of them.
    const version = (functions: string[]) => {
      const imports = `import { ${functions.join(', ')} } from './common.js';\n`;
      const calls = functions.map((name) => `${name}()`).join(', ');
      const files = {
        'common.ts': functions.map((name) => `export const ${name} = (): string => '${name}';\n`).join(''),
        'later.ts': `${imports}console.log('later', ${calls});\n`,
        'main.ts': `${imports}console.log(${calls});\n`,
        'cli.ts': `${imports}console.log('now', ${calls});
          process.stdin.resume().on('end', () => void import('./later.js'));\n`,
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, 'src', name), text);
    };
    version(['one']);
    const running = spawn('npm', ['run', '--silent', 'shop'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    running.stdout.on('data', (data: Buffer) => (said += data.toString()));
    const ended = new Promise((resolve) => running.once('close', resolve));
    await eventually('it says one', () => said.includes('now one\n') || running.exitCode !== null);
    version(['zero', 'one', 'alpha']);
    expect(await npm(folder, 'build', 'service')).toMatchObject({ code: 0 });
    running.stdin.end();
    expect([await ended, said]).toEqual([0, 'now one\nlater one\n']);
    write('second');
    expect(await npm(folder, 'shop')).toMatchObject({ code: 0, stdout: 'second \n' });
  });

  it('say what to do if the compiler is missing', async () => {
    write('fourth');
    rmSync(path.join(folder, 'node_modules'));
    expect(await npm(folder, 'shop')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `${BUILDING}…\n` +
        'The service is not built and the compiler is not installed. Run npm install, then try again.\n',
    });
    // Without sources, as in an image, there is nothing to compare with.
    rmSync(path.join(folder, 'src'), { recursive: true });
    expect(await npm(folder, 'shop')).toEqual({ code: 0, stdout: 'second \n', stderr: '' });
  });
});

describe('a signal to npm', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-signal-'));
  const dataDir = path.join(folder, 'data');
  let running: ChildProcess;

  afterAll(() => {
    if (running.exitCode === null) running.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('stops the service and its database, like a signal to the service', async () => {
    project(folder);
    symlinkSync(path.join(ROOT, 'dist'), path.join(folder, 'dist'));
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
    };
    running = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    running.stdout!.on('data', (data: Buffer) => (said += data.toString()));
    // The end of the output is the end of everybody who could still write to it.
    const closed = new Promise((resolve) => running.once('close', resolve));
    await eventually('it is up', () => said.includes('is up') || running.exitCode !== null);
    expect(await findEmbeddedPostgres(dataDir)).not.toBeNull();
    running.kill('SIGTERM');
    await closed;
    expect(said).toContain('"msg":"stopping"');
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
  });
});
