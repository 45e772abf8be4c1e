// npm run test:faults [-- F1 F10 …] [-- --json] [-- --short]: every fault against real processes, a real
// PostgreSQL and Redis; exit code 1 when an invariant breaks.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { table } from './figures.mjs';
import { Lab } from './harness.mjs';

/** The whole may take this long, in milliseconds; what has not run by then counts as broken. */
const LIMIT_MS = 10 * 60_000;
const COLUMNS = ['fault', 'what was done', 'acknowledged', 'received', 'lost', 'repeats', 'verdict'];

const folder = path.join(import.meta.dirname, 'faults');
const families = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => import(path.join(folder, name))),
);
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const asJson = process.argv.includes('--json');
/** Some faults have a shorter form, for the tests of every change. */
const short = process.argv.includes('--short');
const faults = families
  .flatMap((family) => family.faults)
  .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));

const started = Date.now();
const say = (line) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);

async function attempt(lab, { id, name, needsRedis, missing, run }) {
  const begun = Date.now();
  const row = (values) => ({
    fault: `${id} ${name}`,
    seconds: Math.round((Date.now() - begun) / 1000),
    ...values,
  });
  if (needsRedis && !lab.redis) return row({ verdict: 'not run: redis-server is not installed' });
  if (missing) return row({ verdict: `not run: ${missing}` });
  if (begun - started > LIMIT_MS)
    return row({ verdict: 'BROKEN', broken: ['the suite ran out of its ten minutes'] });
  try {
    const { done, broken, ...figures } = await run(lab, { short });
    return row({
      'what was done': done,
      ...figures,
      broken,
      verdict: broken.length === 0 ? 'held' : 'BROKEN',
    });
  } catch (error) {
    return row({ verdict: 'BROKEN', broken: [`it could not be carried out: ${error.stack}`] });
  }
}

const lab = await Lab.open();
const rows = [];
try {
  for (const fault of faults) {
    const row = await attempt(lab, fault);
    rows.push(row);
    say(`${row.verdict.padEnd(6)} ${row.fault} (${row.seconds} s)`);
    for (const problem of row.broken ?? []) say(`       ${problem}`);
  }
} finally {
  await lab.close();
}
const isBroken = rows.some(({ verdict }) => verdict === 'BROKEN');
if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else
  say(`\n${table(COLUMNS, rows)}\n\n${rows.length} faults in ${Math.round((Date.now() - started) / 1000)} s`);
process.exit(isBroken ? 1 : 0);
