import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDataDir } from './data-dir.js';

describe('the folder of the embedded database', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'shop-data-dir-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is tried without touching what another start tries at the same time', () => {
    writeFileSync(path.join(folder, 'trial'), 'of another start');
    openDataDir(folder);
    expect(readdirSync(folder)).toEqual(['trial']);
  });

  it('is refused by one sentence if it is a file', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openDataDir(file)).toThrow(/^DATA_DIR: .*file cannot hold the database: /);
  });
});
