import { readFileSync } from 'node:fs';
import path from 'node:path';

type Locked = Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;

const { packages } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Locked;
};

/**
 * Whether `name` is found from the folder of a package, as Node looks for it: in its own node_modules, then
 * in each above.
 */
function found(from: string, name: string): boolean {
  if (packages[path.posix.join(from, 'node_modules', name)]) return true;
  const above = from.lastIndexOf('/node_modules/');
  return from !== '' && found(above < 0 ? '' : from.slice(0, above), name);
}

describe('package-lock.json', () => {
  it('holds the optional packages of every platform, without which npm ci installs nothing', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !found(place, name)),
    );
    expect(missing).toEqual([]);
  });
});
