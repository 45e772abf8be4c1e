// What happens to the primary, and what the services and their callers see of it.
import pg from 'pg';
import { paced } from '../support/waiting/paced.mjs';
import { underLoad } from './under-load.mjs';

/** The suite is the cluster manager: it promotes. */
const failover = (lab, { fail, ...options }) =>
  underLoad(lab, {
    ...options,
    fail: async (pair) => {
      await fail(pair);
      await pair.promote();
    },
  });

async function killed(lab, { short }) {
  const row = await failover(lab, {
    fail: async ({ primary }) => {
      await primary.kill();
      await paced(1_000);
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
      await paced(3_000);
    },
    afterwards: async ({ standby: old }) => {
      old.signalAll('SIGCONT');
      await paced(8_000);
      return oldPrimaryProblems(old);
    },
  });
  await lab.postgres.standby.follow(lab.postgres.primary);
  return row;
}

/**
 * Nobody of the service is connected to it, and what somebody else commits there is not acknowledged: its
 * standby has left it.
 */
async function oldPrimaryProblems(old) {
  const problems = [];
  const connected = await old.query(
    // Whoever waits for a standby there, or for a lock of one who does, does not notice that its client
    // has gone.
    `select distinct application_name as name from pg_stat_activity
     where application_name like 'shop-%' and application_name <> 'shop-host-check'
     and wait_event is distinct from 'SyncRep' and wait_event_type is distinct from 'Lock'`,
  );
  if (connected.length > 0)
    problems.push(`still connected to the old primary: ${connected.map(({ name }) => name).join(', ')}`);
  const client = new pg.Client({ connectionString: old.url });
  client.on('error', () => undefined);
  await client.connect();
  const commit = client.query(`update stores set name = name || ' (old)'`).then(
    () => 'acknowledged',
    () => 'failed',
  );
  const outcome = await Promise.race([commit, paced(2_000).then(() => 'waiting')]);
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
