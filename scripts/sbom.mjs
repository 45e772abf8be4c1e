// npm run sbom: prints the bill of materials of the shipped packages, as CycloneDX in JSON. npm lists
// everything that is installed. Its own --omit=dev omits too much, so packages that are only for development
// are removed here, according to the lockfile, and so are those whose names or scopes are given.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const leftOut = process.argv.slice(2);
const isLeftOut = (name) => leftOut.includes(name) || leftOut.includes(name.split('/')[0]);
const shipped = new Set(
  Object.entries(packages)
    .filter(
      ([place, { dev, link }]) =>
        place.includes('node_modules/') && !dev && !link && !isLeftOut(nameOf(place)),
    )
    .map(([place, { version }]) => `${nameOf(place)}@${version}`),
);

const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const bill = JSON.parse(text);
bill.components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
const refs = new Set([
  bill.metadata.component['bom-ref'],
  ...bill.components.map((component) => component['bom-ref']),
]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
