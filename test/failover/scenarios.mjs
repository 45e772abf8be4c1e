// What happens to the primary, and what the services and their callers see of it.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { INTERNAL_ERROR, INTERRUPTED } from '../../dist/src/platform/errors.js';
import { underWay } from '../faults/suite/limits.mjs';
import { Calls } from './calls.mjs';

/** So long after the promotion every call succeeds, in milliseconds; a tenth of it is what a balancer would notice too. */
const BOUND_MS = 10_000;
/** No call waits for longer, whatever becomes of it: what the pool waits for a connection, twice, and some. */
const LONGEST_MS = 25_000;
const FAILURES = [INTERNAL_ERROR, ...Object.values(INTERRUPTED)].map((error) => JSON.stringify(error.envelope()));

/** Two processes under load while the primary fails in some way and the standby takes over. */
async function failover(lab, { fail, afterwards = async () => [], settleMs = 12_000 }) {
  const size = { stores: 10, orders: 10, roles: 'web,deliver', deliverers: 0 };
  return lab.stage(size, async (stage) => {
    const second = await stage.startBoth();
    const calls = new Calls(stage, [stage.web, second]);
    const { writer, stores } = stage;
    let promotedAt = Infinity;
    const problems = [];
    await calls.during(async () => {
      await sleep(2_000);
      await fail(lab.postgres);
      await lab.postgres.promote();
      promotedAt = performance.now();
      await sleep(settleMs);
      problems.push(...(await afterwards(lab.postgres)));
    });
    await stage.quiet();
    const { firstMs, late, slowest } = calls.since(promotedAt, BOUND_MS);
    for (const [what, ms] of Object.entries(firstMs))
      if (!(ms <= BOUND_MS)) problems.push(`${what} succeeded first after ${ms} ms`);
    if (late.length > 0)
      problems.push(`${late.length} calls failed later than ${BOUND_MS} ms after the promotion: ${late[0].text}`);
    if (slowest > LONGEST_MS) problems.push(`a call took ${slowest} ms`);
    const unclear = calls.failed.filter(({ text }) => !FAILURES.includes(text));
    if (unclear.length > 0) problems.push(`${unclear.length} calls failed without a clear answer: ${unclear[0].text}`);
    problems.push(...(await calls.keyedProblems(lab)));
    if (![stage.web, second].every(({ running }) => running)) problems.push('a process ended');
    const verdict = await stage.verdict({ repeats: underWay(2, stores), problems });
    return {
      ...verdict,
      'calls right': calls.right,
      'calls failed': calls.failed.length,
      'first write after': `${firstMs.write} ms`,
      'first read after': `${firstMs.read} ms`,
      'slowest call': `${slowest} ms`,
      received: verdict.received,
      acknowledged: writer.acknowledged.length,
    };
  });
}

async function killed(lab, { short }) {
  const row = await failover(lab, {
    fail: async ({ primary }) => {
      await primary.kill();
      await sleep(1_000);
    },
    settleMs: short ? 8_000 : 12_000,
  });
  if (!short) await lab.postgres.standby.follow(lab.postgres.primary);
  return row;
}

/** The old primary stands still, then goes on beside the new one: nobody has fenced it. */
async function frozen(lab) {
  const row = await failover(lab, {
    fail: async ({ primary }) => {
      primary.signalAll('SIGSTOP');
      await sleep(3_000);
    },
    afterwards: async ({ standby: old }) => {
      old.signalAll('SIGCONT');
      await sleep(8_000);
      return oldPrimaryProblems(old);
    },
  });
  await lab.postgres.standby.follow(lab.postgres.primary);
  return row;
}

/** Nobody of the service is connected to it, and what somebody else commits there is not acknowledged: its standby has left it. */
async function oldPrimaryProblems(old) {
  const problems = [];
  const connected = await old.query(
    // Whoever waits for a standby there does not notice that its client has gone.
    `select distinct application_name as name from pg_stat_activity
     where application_name like 'shop-%' and application_name <> 'shop-host-check' and wait_event is distinct from 'SyncRep'`,
  );
  if (connected.length > 0) problems.push(`still connected to the old primary: ${connected.map(({ name }) => name).join(', ')}`);
  const client = new pg.Client({ connectionString: old.url });
  client.on('error', () => undefined);
  await client.connect();
  const commit = client.query(`update stores set name = name || ' (old)'`).then(
    () => 'acknowledged',
    () => 'failed',
  );
  const outcome = await Promise.race([commit, sleep(2_000, 'waiting')]);
  if (outcome !== 'waiting') problems.push(`a commit at the old primary was ${outcome}`);
  // Its backend waits for a standby and hears nobody any more.
  client.connection.stream.destroy();
  return problems;
}

/** A planned change of the primary, there and back. */
async function switched(lab) {
  const { postgres } = lab;
  const there = await failover(lab, { fail: ({ primary }) => primary.stop() });
  await postgres.standby.follow(postgres.primary);
  const back = await failover(lab, { fail: ({ primary }) => primary.stop() });
  await postgres.standby.follow(postgres.primary);
  const sum = Object.fromEntries(
    ['acknowledged', 'received', 'lost', 'repeats', 'calls right', 'calls failed'].map((name) => [
      name,
      there[name] + back[name],
    ]),
  );
  return { ...back, ...sum, broken: [...there.broken, ...back.broken] };
}

export const SCENARIOS = [
  { id: 'R1', name: 'primary killed', run: killed },
  { id: 'R2', name: 'primary frozen, comes back unfenced', run: frozen },
  { id: 'R3', name: 'primary stopped, and back again', run: switched },
];
