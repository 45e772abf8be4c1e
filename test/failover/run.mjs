// npm run test:failover [-- R1 R2 …] [-- --json] [-- --short]: a primary and its synchronous standby under load; exit code 1 when an invariant breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../faults/suite/figures.mjs';
import { Lab } from '../faults/suite/harness.mjs';
import { Pair } from './pair.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** The whole may take this long, in milliseconds; what runs then is broken. */
const LIMIT_MS = 5 * 60_000;
const COLUMNS = [
  'scenario',
  'acknowledged',
  'received',
  'lost',
  'repeats',
  'calls right',
  'calls failed',
  'first write after',
  'first read after',
  'slowest call',
  'verdict',
];

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const asJson = process.argv.includes('--json');
const short = process.argv.includes('--short');
const say = (line) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);
if (!Pair.isInstalled) {
  say("Debian's postgresql is not installed: nothing was run");
  process.exit(1);
}

const started = Date.now();
const lab = await Lab.open(Pair.create);
const rows = [];
const late = sleep(LIMIT_MS, undefined, { ref: false }).then(() => {
  throw new Error(`the suite ran out of its ${LIMIT_MS / 60_000} minutes`);
});
try {
  for (const { id, name, run } of SCENARIOS.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const row = await Promise.race([run(lab, { short }), late]).catch((error) => ({ broken: [error.stack] }));
    rows.push({ scenario: `${id} ${name}`, ...row, verdict: row.broken.length === 0 ? 'held' : 'BROKEN' });
    say(`${rows.at(-1).verdict.padEnd(6)} ${id} ${name} (${Math.round((Date.now() - started) / 1000)} s)`);
    for (const problem of row.broken) say(`       ${problem}`);
    if (row.broken.length > 0 && row.lost === undefined) break;
  }
} finally {
  await lab.close();
}
if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else say(`\n${table(COLUMNS, rows)}\n\n${rows.length} scenarios in ${Math.round((Date.now() - started) / 1000)} s`);
process.exit(rows.every(({ verdict }) => verdict === 'held') ? 0 : 1);
