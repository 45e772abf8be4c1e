import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const LONGEST_LINE = 110;
const LONGEST_FILE = 300;
const LARGEST_FOLDER = 15;

/** Folders of packages, of git and of what programs write. */
const NOT_OURS = /^(node_modules|\.git|\.data|dist|generated|results|test-results|coverage)$/;
const CODE = /\.(ts|tsx|mts|mjs|js|css|sql|sh|py|html)$|^\.ci\/run$/;
const SETTINGS = /\.(ya?ml|cfg|conf|ini|toml|service|timer|example)$|^Dockerfile$/;
/** The texts of the pages are as long as they are; the schema is read as a whole. */
const WORDS = /^web\/dashboard\/words\//;
const SCHEMA = 'migrations/schema.sql';
const TESTS = /^(web\/)?test\/|\.spec\.ts$/;

function filesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => path.join(folder, name));
}

function foldersFrom(folder: string): string[] {
  const inside = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.test(entry.name))
    .flatMap(({ name }) => foldersFrom(path.join(folder, name)));
  return [folder, ...inside];
}

const files = foldersFrom('.')
  .flatMap(filesOf)
  .filter(
    (file) => (CODE.test(file) || SETTINGS.test(file)) && !file.includes('.generated.') && !WORDS.test(file),
  )
  .map((file) => ({ file, lines: readFileSync(path.join(ROOT, file), 'utf8').trimEnd().split('\n') }));

const lengthOf = (text: string) => [...text].length;

/** A line with a word that would not fit on a line of its own, such as an address, cannot be broken. */
function isTooLong(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const indentation = lengthOf(line) - lengthOf(line.trimStart());
  return lengthOf(line) > LONGEST_LINE && words.every((word) => indentation + lengthOf(word) <= LONGEST_LINE);
}

describe('hand-written code', () => {
  it('is measured in characters, and a word that would not fit on a line of its own may be longer', () => {
    const address = `https://shop.example/${'x'.repeat(84)}`;
    const lines = ['x '.repeat(55) + 'x', `see ${address}x`, `      ${address}`, '🧋 '.repeat(55)];
    expect(lines.map(lengthOf)).toEqual([111, 110, 111, 110]);
    expect(lines.map(isTooLong)).toEqual([true, false, false, false]);
    expect(isTooLong(`see a ${address}`)).toBe(true);
    expect(files.length).toBeGreaterThan(500);
  });

  it('has lines of at most 110 characters', () => {
    const found = files.flatMap(({ file, lines }) =>
      lines.flatMap((line, i) =>
        isTooLong(line) ? [`${file}:${i + 1} has ${lengthOf(line)} characters`] : [],
      ),
    );
    expect(found).toEqual([]);
  });

  it('has files of at most 300 lines, except tests and the schema', () => {
    const found = files
      .filter(({ file, lines }) => lines.length > LONGEST_FILE && !TESTS.test(file) && file !== SCHEMA)
      .map(({ file, lines }) => `${file} has ${lines.length} lines`);
    expect(found).toEqual([]);
  });

  it('has folders of at most 15 files', () => {
    const folders = ['bench', 'packages', 'scripts', 'src', 'test', 'web/dashboard'].flatMap(foldersFrom);
    const found = folders
      .map((folder) => ({ folder, count: filesOf(folder).length }))
      .filter(({ count }) => count > LARGEST_FOLDER)
      .map(({ folder, count }) => `${folder} has ${count} files`);
    expect(found).toEqual([]);
  });
});
