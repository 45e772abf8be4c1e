// What an image needs besides dist: which packages are in its bundles, and which must be there as packages.
// `node scripts/image/shipped.mjs FOLDER` copies the latter to FOLDER/node_modules, and the licences of all
// to FOLDER/licences.txt.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../built.mjs';

/** Native code, and what is looked up by a computed name (compile.mjs); their dependencies come along. */
export const NOT_BUNDLED = ['@node-rs/argon2', 'pg'];
/** The pages at /docs, of which only these files are served. */
const DOCS = 'node_modules/swagger-ui-dist';
const DOCS_FILES = ['package.json', 'LICENSE', 'NOTICE', 'swagger-ui.css', 'swagger-ui-bundle.js'];

const readJson = (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const { packages: LOCKED } = readJson('package-lock.json');

/** The places of packages that these modules are from, such as node_modules/pg. */
export function placesOf(modules) {
  const places = modules.map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.relative(ROOT, file))?.[0],
  );
  return [...new Set(places.filter((place) => place in LOCKED))].sort();
}

/** The place that Node finds a package at, for one that is at `from`. */
function placeFor(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = path.posix.join(folder, 'node_modules', name);
    if (place in LOCKED || folder === '') return place;
  }
}

/** The places of packages with all that they depend on and that is installed: not for other platforms. */
function withDependencies(places, found = new Set()) {
  for (const place of places) {
    if (found.has(place) || !existsSync(path.join(ROOT, place))) continue;
    found.add(place);
    const { dependencies = {}, optionalDependencies = {} } = LOCKED[place];
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    withDependencies(
      names.map((name) => placeFor(name, place)),
      found,
    );
  }
  return found;
}

const loaded = () => [...withDependencies(NOT_BUNDLED.map((name) => `node_modules/${name}`))];

/** The places of all packages that are shipped, with their entries in the lockfile. */
export function shipped() {
  const places = [...readJson('dist/src/packages.json'), ...readJson('dist/pages.json'), ...loaded(), DOCS];
  return Object.fromEntries([...new Set(places)].sort().map((place) => [place, LOCKED[place]]));
}

function licences() {
  return Object.entries(shipped()).flatMap(([place, { version }]) => {
    const files = readdirSync(path.join(ROOT, place)).filter((name) => /^(licen[cs]e|notice)/i.test(name));
    const texts = files.map((name) => readFileSync(path.join(ROOT, place, name), 'utf8').trim());
    return [`## ${place.slice(place.lastIndexOf('node_modules/') + 13)} ${version}`, ...texts];
  });
}

if (process.argv[1] === import.meta.filename) {
  const [, , target] = process.argv;
  for (const place of loaded()) cpSync(path.join(ROOT, place), path.join(target, place), { recursive: true });
  for (const name of DOCS_FILES) cpSync(path.join(ROOT, DOCS, name), path.join(target, DOCS, name));
  writeFileSync(path.join(target, 'licences.txt'), `${licences().join('\n\n')}\n`);
}
