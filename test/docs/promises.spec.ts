import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const MISUSED = {
  'no-floating-promises': ['work();', 'work().then(() => 1);', 'work().finally(() => work());'],
  'no-misused-promises': ['if (work()) ask();', '[1].forEach(async () => await work());'],
  'await-thenable': ['await ask();'],
};
const RIGHT = ['await work().finally(() => work());', 'void work();', 'await Promise.all([1].map(work));'];
const PROGRAM = [
  'declare function work(): Promise<number>;',
  'declare function ask(): number;',
  ...RIGHT,
  ...Object.values(MISUSED).flat(),
  'export {};',
];

/** .oxlintrc.json */
describe('a promise that nobody awaits', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-promises-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused, and so is one that is used as a value', () => {
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', types: [] };
    const files = ['program.ts', path.join(ROOT, 'types/promise.d.ts')];
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(folder, 'program.ts'), PROGRAM.join('\n'));
    const config = path.join(ROOT, '.oxlintrc.json');
    const oxlint = path.join(ROOT, 'node_modules/.bin/oxlint');
    const { stdout, stderr } = spawnSync(oxlint, ['-c', config, '-f', 'json', folder], { encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout || stderr) as {
      diagnostics: { code: string; labels: { span: { line: number } }[] }[];
    };
    const lineOf = ({ span }: { span: { line: number } }) => PROGRAM[span.line - 1];
    const refused = diagnostics.map(({ code, labels }) => `${code}: ${lineOf(labels[0])}`);
    const expected = Object.entries(MISUSED).flatMap(([rule, lines]) =>
      lines.map((line) => `typescript(${rule}): ${line}`),
    );
    expect(refused.sort()).toEqual(expected.sort());
  });
});
