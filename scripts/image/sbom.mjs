// npm run sbom: prints the bill of materials of the shipped packages, as CycloneDX in JSON. npm lists
// everything that is installed; what is neither in a bundle nor copied beside it is removed here.
import { execFileSync } from 'node:child_process';
import { shipped } from './shipped.mjs';

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const known = new Set(Object.entries(shipped()).map(([place, { version }]) => `${nameOf(place)}@${version}`));

const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const bill = JSON.parse(text);
bill.components = bill.components.filter(({ name, version }) => known.has(`${name}@${version}`));
const refs = new Set([
  bill.metadata.component['bom-ref'],
  ...bill.components.map((component) => component['bom-ref']),
]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
