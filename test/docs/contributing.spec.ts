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
  'package-lock.json',
  'jest.config.js',
  'tsconfig.json',
];
const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The steps of both sections: where the code stands, as the sentence before it says, and the code. */
const STEP = new RegExp(
  '^(At the end of|In the class of|In `PREPARED` of|After `([^`]+)` in) ' +
    '`([^`]+)`[^\\n]*\\n\\n```(?:ts|sql)\\n(.*?)```$',
  'gms',
);
const steps = [...text.matchAll(STEP)].map(([, place, line, file, code]) => ({ place, line, file, code }));

const POSITIONS: Record<string, (source: string) => number> = {
  'At the end of': (source) => source.length,
  'In the class of': (source) => source.lastIndexOf('}'),
  'In `PREPARED` of': (source) => afterLine(source, 'const PREPARED'),
};

/** Imports go to the top unless they are there, the rest where the step says. */
function follow(source: string, { place, line, code }: (typeof steps)[number]): string {
  const [imports, rest] = [true, false].map((wanted) =>
    code.split('\n').filter((one) => one.startsWith('import ') === wanted),
  );
  const position = line ? afterLine(source, line) : POSITIONS[place](source);
  const changed = source.slice(0, position) + rest.join('\n') + source.slice(position);
  return [...imports.filter((one) => !isImported(one, source)), changed].join('\n');
}

function isImported(line: string, source: string): boolean {
  const [, name] = /\{ (\w+) \}/.exec(line)!;
  return new RegExp(`^import .*\\b${name}\\b`, 'm').test(source);
}

/** After the one line with this text. */
function afterLine(source: string, start: string): number {
  const [before, ...after] = source.split(start);
  expect({ start, times: after.length }).toEqual({ start, times: 1 });
  return source.indexOf('\n', before.length) + 1;
}

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

  it('describes an operation and a column which, added as described, pass the contract tests', async () => {
    expect(steps.map(({ file }) => path.basename(file))).toEqual([
      'brands.dto.ts',
      'brands.service.ts',
      'brands.controller.ts',
      'examples.ts',
      'schema.sql',
      'order.entity.ts',
      'order.record.ts',
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
      'test/contract/(operations|schema/schema-drift).spec.ts',
      'test/architecture.spec.ts',
    );
    for (const name of ['get_brand_by_slug', 'get_order'])
      expect(stderr).toContain(`✓ ${name} answers what its schema says`);
    expect(stderr).toContain('✓ agree on every column');
  }, 240_000);

  it('gives a command that measures which lines a test runs', async () => {
    const [, args] = /`npx jest ([^`]+ --coverage [^`]+)`/.exec(text)!;
    const { stdout } = await jest(
      ROOT,
      ...args.split(' '),
      `--coverageDirectory=${path.join(folder, 'coverage')}`,
    );
    expect(stdout).toMatch(/ money\.ts +\| +100 \|/);
  });
});
