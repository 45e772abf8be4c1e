// What the suites with a failing primary have in common: which scenarios, the table, the time limit, the exit
// code.
import { once } from 'node:events';
import { table } from '../faults/suite/figures.mjs';
import { Lab } from '../faults/suite/harness.mjs';

const COLUMNS = [
  'scenario',
  'acknowledged',
  'received',
  'lost',
  'repeats',
  'calls right',
  'calls failed',
  'promoted after',
  'first write after',
  'first read after',
  'slowest call',
  'verdict',
];

/**
 * Plays the scenarios that the command line names, or all. `--json` prints JSON.
 * @param create makes the database in a folder: `url`, `stop()`  @param limitMs the whole may take this long;
 * what runs then is broken
 * @returns the exit code: 1 when an invariant breaks
 */
export async function play({ scenarios, create, limitMs }) {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const asJson = process.argv.includes('--json');
  const say = (line) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const lab = await Lab.open(create);
  const rows = [];
  const late = once(AbortSignal.timeout(limitMs), 'abort').then(() => {
    throw new Error(`the suite ran out of its ${limitMs / 60_000} minutes`);
  });
  try {
    for (const { id, name, run } of scenarios.filter(
      ({ id }) => wanted.length === 0 || wanted.includes(id),
    )) {
      const row = await Promise.race([run(lab), late]).catch((error) => ({
        broken: [error.stack],
      }));
      rows.push({ scenario: `${id} ${name}`, ...row, verdict: row.broken.length === 0 ? 'held' : 'BROKEN' });
      say(`${rows.at(-1).verdict.padEnd(6)} ${id} ${name} (${seconds()} s)`);
      for (const problem of row.broken) say(`       ${problem}`);
      if (row.broken.length > 0 && row.lost === undefined) break;
    }
  } finally {
    await lab.close();
  }
  const columns = COLUMNS.filter((column) => rows.some((row) => column in row));
  if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else say(`\n${table(columns, rows)}\n\n${rows.length} scenarios in ${seconds()} s`);
  return rows.length > 0 && rows.every(({ verdict }) => verdict === 'held') ? 0 : 1;
}
