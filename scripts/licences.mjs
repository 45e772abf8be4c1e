// Prints the name, version and licence of every package that is shipped with the service
// or is part of the built pages, and fails on a licence that is not in the list of accepted ones.
import { readFileSync } from 'node:fs';

/** Permissive licences, whose only condition is that their text stays with the package. */
const ACCEPTED = [
  'MIT',
  'MIT-0',
  'MIT/X11',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '(MIT OR Apache-2.0)',
  // Of fonts.
  'OFL-1.1',
];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * The licence from the lockfile, which includes packages of other platforms. Old packages have a list of
 * licences, which only their own package.json contains.
 */
function licenceOf(path, { license }) {
  if (license) return license;
  try {
    const { licenses = [] } = readJson(`${path}/package.json`);
    return licenses.map(({ type }) => type).join(' AND ') || 'none told';
  } catch {
    return 'none told';
  }
}

/** The build lists them, because they are installed for development only. */
const ofPages = new Set(readJson('dist/pages.json'));

const shipped = Object.entries(readJson('package-lock.json').packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !link && (!dev || ofPages.has(path)))
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 13),
    version: entry.version,
    licence: licenceOf(path, entry),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

for (const { name, version, licence } of shipped) console.log(`${name} ${version} ${licence}`);

const unknown = shipped.filter(({ licence }) => !ACCEPTED.includes(licence));
if (unknown.length > 0) {
  const named = unknown.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
  console.error(`not accepted: ${named.join(', ')}`);
  process.exitCode = 1;
}
