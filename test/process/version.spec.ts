import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COMMIT, VERSION } from '../../src/platform/version.js';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

describe('the version', () => {
  it.each(['package.json', 'package-lock.json', 'server.json'])('of %s is that of the service', (file) => {
    expect((JSON.parse(read(file)) as { version: string }).version).toBe(VERSION);
  });

  it('is the newest of the changelog', () => {
    expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))![1]).toBe(VERSION);
  });

  it('and the commit are what the command line prints', () => {
    const shop = (...args: string[]) =>
      execFileSync(process.execPath, [path.join(ROOT, 'dist/src/cli.js'), '--version', ...args], {
        encoding: 'utf8',
      });
    expect(COMMIT).toMatch(/^([0-9a-f]{40}|unknown)$/);
    expect(shop()).toBe(`${VERSION} (${COMMIT})\n`);
    expect(JSON.parse(shop('--json'))).toEqual({ version: VERSION, commit: COMMIT });
  });
});
