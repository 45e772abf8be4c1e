import { readFileSync } from 'node:fs';
import path from 'node:path';

type Names = Record<string, string>;
type Locked = Record<
  string,
  { version?: string; dependencies?: Names; peerDependencies?: Names; optionalDependencies?: Names }
>;

const { packages } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Locked;
};

/**
 * What Node finds for `name` from the folder of a package: in its own node_modules, then in each above.
 */
function found(from: string, name: string): Locked[string] | undefined {
  const here = packages[path.posix.join(from, 'node_modules', name)];
  const above = from.lastIndexOf('/node_modules/');
  return here ?? (from === '' ? undefined : found(above < 0 ? '' : from.slice(0, above), name));
}

const numbers = (version: string) => /\d[\d.]*/.exec(version)?.[0].split('.').map(Number) ?? [];

/** Whether a version is below every alternative of a range: below 22 for `^22.1 || 24`. */
const isBelow = (version: string, range: string) =>
  range.split('||').every((alternative) => {
    const [have, least] = [numbers(version), /^\s*</.test(alternative) ? [] : numbers(alternative)];
    const at = least.findIndex((number, index) => number !== have[index]);
    return at >= 0 && have[at]! < least[at]!;
  });

describe('package-lock.json', () => {
  it('holds the optional packages of every platform, without which npm ci installs nothing', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !found(place, name)),
    );
    expect(missing).toEqual([]);
  });

  it('gives no package an older version of another than it asks for', () => {
    const asked = Object.entries(packages).flatMap(([place, { dependencies, peerDependencies }]) =>
      Object.entries({ ...dependencies, ...peerDependencies }).map(([name, range]) => ({
        place,
        name,
        range,
      })),
    );
    const older = asked.filter(({ place, name, range }) => {
      const { version } = found(place, name) ?? {};
      return version !== undefined && !range.startsWith('npm:') && isBelow(version, range);
    });
    expect(asked.length).toBeGreaterThan(1000);
    expect(older).toEqual([]);
  });
});
