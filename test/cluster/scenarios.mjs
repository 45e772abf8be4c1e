// What happens to the leader's machine, behind PgBouncer and HAProxy.
import { paced } from '../support/waiting/paced.mjs';
import { underLoad } from '../failover/under-load.mjs';

const FAILURES = {
  killed: {
    fail: ({ machine }) => machine.signal('SIGKILL'),
    mend: (member) => member.start(),
    standsAlone: false,
  },
  frozen: {
    fail: ({ machine }) => machine.signal('SIGSTOP'),
    mend: ({ machine }) => machine.signal('SIGCONT'),
  },
  partitioned: {
    fail: ({ machine }) => machine.pullCable(),
    mend: ({ machine }) => machine.plugCable(),
    standsAlone: true,
  },
};

async function failover(lab, { fail, mend, standsAlone }) {
  const { postgres: cluster } = lab;
  const old = await cluster.leader();
  let outcome = () => 'failed';
  let promotedAfter;
  const row = await underLoad(lab, {
    env: cluster.balanced,
    fail: async () => {
      const started = performance.now();
      fail(old);
      if (standsAlone) outcome = old.commit();
      await cluster.leader(old);
      promotedAfter = Math.round(performance.now() - started);
    },
    afterwards: async () => {
      mend(old);
      await paced(1_000);
      await cluster.together();
      const isSplit = outcome() === 'acknowledged';
      return isSplit ? ['a commit at the old leader, which stood alone, was acknowledged'] : [];
    },
  });
  return { ...row, 'promoted after': `${(promotedAfter / 1000).toFixed(1)} s` };
}

export const SCENARIOS = Object.entries(FAILURES).map(([what, failure], i) => ({
  id: `B${i + 1}`,
  name: `leader ${what}`,
  run: (lab) => failover(lab, failure),
}));
