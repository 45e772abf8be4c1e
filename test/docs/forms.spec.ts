import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SAVED_BY, WITHOUT } from '../web/forms/saved-by.js';

const ROOT = path.resolve(__dirname, '../..');
const PAGES = path.join(ROOT, 'web/dashboard');
/** A change is made by a hook, by a form or dialog that is told its name, or by a group of pages. */
const MADE = [
  /use(?:Change|Batches)\(\s*'([^']+)'/g,
  /\b(?:change|operation|update)="((?:[A-Z]+ )?[\w/{}-]+)"/g,
  /[?:[,] *\n? *'((?:add|adjust|create|delete|set|ship|toggle|update)_[a-z_]+)'/g,
];
/** What reads from the service, past the pages, in the tests of test/web. */
const READS = [
  /run(?:<[^(]*>)?\(\s*(?:page\.)?request,\s*['`](?:get|list|find)_/,
  /request\.get\(/,
  /\/v1\//,
  /\b(?:stored|effects|linesOf|finds|route|notes)\(/,
];

/** The tests of a file, each from its first line on. */
const testsOf = (spec: string) =>
  readFileSync(path.join(ROOT, `test/web/${spec}.spec.ts`), 'utf8').split(/\n(?=\s{0,2}test\()/);

describe('every form, dialog and button of the pages that changes something', () => {
  const made = new Set(
    readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
      .map((file) => readFileSync(path.join(PAGES, file), 'utf8'))
      .flatMap((text) => MADE.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name))),
  );

  it('is used by a test, or listed with the reason why not', () => {
    const known = [...Object.keys(SAVED_BY), ...Object.keys(WITHOUT)];
    expect([...made].filter((name) => !known.includes(name)).sort()).toEqual([]);
    expect(Object.keys(SAVED_BY).filter((name) => !made.has(name))).toEqual([]);
    expect(Object.keys(SAVED_BY).filter((name) => name in WITHOUT)).toEqual([]);
  });

  it.each(Object.entries(SAVED_BY))('%s has its effect read back by that test', (_name, [spec, title]) => {
    const begins = (text: string) =>
      /^\s*test\(\s*['"`]/.test(text) && text.replace(/^\s*test\(\s*['"`]/, '').startsWith(title);
    const found = testsOf(spec).filter(begins);
    expect([spec, title, found.length]).toEqual([spec, title, 1]);
    // The test of two clicks counts the effects by a function of its file.
    const isRead = spec === 'shop/once' || READS.some((pattern) => pattern.test(found[0]));
    expect([spec, title, isRead]).toEqual([spec, title, true]);
  });
});
