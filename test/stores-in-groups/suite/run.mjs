// npm run test:groups [-- --short] [-- --json]: two groups of stores behind HAProxy under load. Each store is
// moved to the other group, and a primary is killed while one is on its way; exit code 1 when an invariant
// breaks.
import { once } from 'node:events';
import { paced } from '../../support/waiting/paced.mjs';
import { percentile, table } from '../../faults/suite/figures.mjs';
import { Load } from './load.mjs';
import { missing, TwoGroups } from './two-groups.mjs';

const isShort = process.argv.includes('--short');
const STORES = isShort ? 4 : 20;
const ORDERS = isShort ? 10 : 200;
const LIMIT_MS = 10 * 60_000;
/** So many stores are made at a time. */
const AT_ONCE = 4;
/** A move that was interrupted is run again until it is complete. */
const TRIES = 10;

const asJson = process.argv.includes('--json');
const say = (line) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);

/** Moves a store to the other group. @returns what the command printed, and how often it was run */
async function move(two, { id, group }) {
  const to = group === 'a' ? 'b' : 'a';
  for (let tries = 1; ; tries++) {
    try {
      return { ...(await two.shop('store', 'move', '--store', id, '--to', to)), tries };
    } catch (error) {
      // It was complete but for what was to be recorded of it.
      if (/was moved to .* already/.test(error.message)) return { readOnlyMs: null, tries };
      if (tries === TRIES) throw error;
      await paced(1_000);
    }
  }
}

async function play(two, started) {
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const stores = [];
  for (let n = 0; n < STORES; n += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => n + i);
    stores.push(...(await Promise.all(numbers.map((number) => two.store(number, ORDERS)))));
  }
  const shares = stores.reduce((counts, { group }) => ({ ...counts, [group]: (counts[group] ?? 0) + 1 }), {});
  say(`${STORES} stores: ${JSON.stringify(shares)} (${seconds()} s)`);
  const load = new Load(stores, `http://127.0.0.1:${two.port}`);
  const moves = [];
  let killed;
  await load.until(async () => {
    for (const [n, store] of stores.entries()) {
      const moving = move(two, store);
      if (n === Math.floor(STORES / 2)) killed = paced(500).then(() => two.killPrimary());
      moves.push(await moving);
      await killed;
    }
  });
  say(`moved, and a primary killed (${seconds()} s)`);
  const settled = await load.settle();
  load.close();
  const strayed = (
    await Promise.all(
      stores.map(async ({ id, group }) => {
        const [row] = await two.query(group === 'a' ? 'b' : 'a', OPEN, [id]);
        return row ? [] : [id];
      }),
    )
  ).flat();
  const readOnly = moves.flatMap(({ readOnlyMs }) => (readOnlyMs === null ? [] : [readOnlyMs]));
  const row = {
    moves: moves.length,
    'run again': moves.filter(({ tries }) => tries > 1).length,
    'read-only, ms': `${percentile(readOnly, 0.5)} (at most ${Math.max(...readOnly)})`,
    'calls right': load.right,
    'writes told to wait': load.again.write,
    'reads told to wait': load.again.read,
    'calls wrong': load.wrong.length,
    ...settled,
  };
  const broken = [
    ...load.wrong.slice(0, 10),
    ...(settled.lost > 0 ? [`${settled.lost} acknowledged changes are lost`] : []),
    ...(settled.doubled > 0 ? [`${settled.doubled} events are in a feed twice`] : []),
    ...strayed.map((id) => `the store ${id} is not where it was moved to`),
    ...(Object.keys(shares).length < 2 ? ['all stores were made in one group'] : []),
    ...(settled.acknowledged === 0 ? ['nothing was acknowledged'] : []),
  ];
  return { row, broken };
}

const OPEN = 'select from stores where id = $1 and moved_to is null and suspended_at is null';

const needed = missing();
if (needed !== null) {
  process.stderr.write(`${needed}: nothing was run\n`);
  process.exit(1);
}
const started = Date.now();
const two = await TwoGroups.open();
let exitCode = 1;
try {
  const late = once(AbortSignal.timeout(LIMIT_MS), 'abort').then(() => {
    throw new Error(`the suite ran out of its ${LIMIT_MS / 60_000} minutes`);
  });
  const { row, broken } = await Promise.race([play(two, started), late]);
  if (asJson) process.stdout.write(`${JSON.stringify({ ...row, broken }, null, 2)}\n`);
  else say(`\n${table(Object.keys(row), [row])}`);
  for (const problem of broken) say(`BROKEN ${problem}`);
  exitCode = broken.length === 0 ? 0 : 1;
} catch (error) {
  say(`BROKEN ${error.stack}`);
} finally {
  await two.close();
}
process.exit(exitCode);
