import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const FOLDERS = ['src', 'test', 'migrations', 'bench', 'scripts', 'docs'].filter((folder) =>
  existsSync(path.join(ROOT, folder)),
);

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  ),
].filter((file) => /\.(ts|mjs|md)$/.test(file) && !file.endsWith('citations.spec.ts'));

interface Citation {
  where: string;
  document: string;
  section?: string;
}

/** `docs/behaviour.md §6.3, §6.4` cites two sections; `docs/faults.md` alone cites the document. */
function citationsOf(file: string): Citation[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(/docs\/[\w./-]+\.md((?:,? §\d+(?:\.\d+)?)*)/g)].flatMap(([found, sections]) => {
    const document = found.slice(0, found.length - sections.length);
    const numbers = [...sections.matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number]) => number);
    return numbers.length > 0
      ? numbers.map((section) => ({ where: file, document, section }))
      : [{ where: file, document }];
  });
}

/** Headings such as `## 6 Rules of the shop` and `### 6.3 Cashback`. */
const sectionsOf = (document: string) =>
  new Set(
    [...readFileSync(path.join(ROOT, document), 'utf8').matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)].map(
      ([, number]) => number,
    ),
  );

const citations = files.flatMap(citationsOf);

describe('citations of documents', () => {
  it('stand in more than 50 places of the code', () => {
    expect(citations.filter(({ section }) => section).length).toBeGreaterThan(50);
  });

  it('name only documents that are in the repository', () => {
    const missing = citations.filter(({ document }) => !existsSync(path.join(ROOT, document)));
    expect(missing.map(({ where, document }) => `${where} cites ${document}`)).toEqual([]);
  });

  it('name only sections that the document has', () => {
    const wrong = citations.filter(
      ({ document, section }) =>
        section && existsSync(path.join(ROOT, document)) && !sectionsOf(document).has(section),
    );
    expect(wrong.map(({ where, document, section }) => `${where} cites ${document} §${section}`)).toEqual([]);
  });
});

describe.each([
  { document: 'docs/behaviour.md', atLeast: 200 },
  { document: 'docs/threat-model.md', atLeast: 40 },
])('$document', ({ document, atLeast }) => {
  /** The last column of its tables of rules: `contract/wire` is test/contract/wire.spec.ts. */
  const named = readFileSync(path.join(ROOT, document), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [
      ...line
        .split('|')
        .at(-2)!
        .matchAll(/`([a-z][\w/.-]*\/[\w.-]+)`/g),
    ])
    .map(([, name]) => (name.startsWith('src/') ? `${name}.spec.ts` : `test/${name}.spec.ts`));

  it('names tests that exist', () => {
    expect(named.length).toBeGreaterThan(atLeast);
    expect([...new Set(named)].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});

describe('docs/threat-model.md', () => {
  it('names a test for everything that stops somebody', () => {
    const rows = readFileSync(path.join(ROOT, 'docs/threat-model.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2);
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !row.split('|').at(-2)!.includes('`'))).toEqual([]);
  });
});

describe('the mechanisms in CONTRIBUTING.md', () => {
  const [, table] = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## Mechanisms$/m);
  const rows = table
    .split(/^## /m)[0]
    .split('\n')
    .filter((line) => line.startsWith('| '));

  it('begin in files that exist, below src where nothing else is said', () => {
    expect(rows.length).toBeGreaterThan(30);
    const missing = rows.flatMap((row) => {
      // A file without a folder stands beside the one before it.
      let folder = '';
      return [...row.split('|')[2].matchAll(/`([\w./-]+(?:\.(?:ts|mjs|sql)|\/))`/g)].flatMap(([, name]) => {
        if (name.includes('/')) folder = path.posix.dirname(name);
        const file = name.includes('/') ? name : `${folder}/${name}`;
        return ['src', '.'].some((base) => existsSync(path.join(ROOT, base, file))) ? [] : [file];
      });
    });
    expect(missing).toEqual([]);
  });
});
