import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const NEEDED = [
  'src',
  'web',
  'migrations',
  'scripts',
  'test',
  'package.json',
  'jest.config.js',
  'tsconfig.json',
];
const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** A step of the section: where its code stands, as the sentence before it says, and the code. */
const steps = [
  ...text.matchAll(/^(At the end|In the class|In `PREPARED`) of `([^`]+)`[^\n]*\n\n```ts\n(.*?)```$/gms),
].map(([, place, file, code]) => ({ place, file, code }));

/** Imports go to the top unless they are there, the rest where the step says. */
function follow(source: string, { place, code }: (typeof steps)[number]): string {
  const [imports, rest] = [true, false].map((wanted) =>
    code.split('\n').filter((line) => line.startsWith('import ') === wanted),
  );
  const position = {
    'At the end': source.length,
    'In the class': source.lastIndexOf('}'),
    'In `PREPARED`': afterLine(source, /^const PREPARED/m),
  }[place]!;
  const changed = source.slice(0, position) + rest.join('\n') + source.slice(position);
  return [...imports.filter((line) => !isImported(line, source)), changed].join('\n');
}

function isImported(line: string, source: string): boolean {
  const [, name] = /\{ (\w+) \}/.exec(line)!;
  return new RegExp(`^import .*\\b${name}\\b`, 'm').test(source);
}

const afterLine = (source: string, start: RegExp) => source.indexOf('\n', source.search(start)) + 1;

describe('CONTRIBUTING.md', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-contributing-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const jest = (cwd: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [path.join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
      cwd,
      // The server of this run's tests is there already.
      env: { ...process.env, TEST_DATABASE_URL: process.env.TEST_OWNER_URL },
      maxBuffer: 10_000_000,
    });

  it('describes an operation which, added as described, passes the contract tests', async () => {
    expect(steps.map(({ place }) => place)).toEqual([
      'At the end',
      'In the class',
      'In the class',
      'In `PREPARED`',
    ]);
    for (const name of NEEDED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    for (const step of steps) {
      const file = path.join(folder, step.file);
      writeFileSync(file, follow(readFileSync(file, 'utf8'), step));
    }
    // Jest keeps what it has compiled by folder: of this one nothing shall stay.
    const options = ['--maxWorkers=1', '--verbose', `--cacheDirectory=${path.join(folder, 'cache')}`];
    const { stderr } = await jest(
      folder,
      ...options,
      'test/contract/operations.spec.ts',
      'test/architecture.spec.ts',
    );
    expect(stderr).toContain('✓ get_brand_by_slug answers what its schema says');
  }, 180_000);

  it('gives a command that measures which lines a test runs', async () => {
    const [, args] = /`npx jest ([^`]+ --coverage [^`]+)`/.exec(text)!;
    const { stdout } = await jest(
      ROOT,
      ...args.split(' '),
      `--coverageDirectory=${path.join(folder, 'coverage')}`,
    );
    expect(stdout).toMatch(/ money\.ts +\| +100 \|/);
  }, 60_000);
});
