// PostgreSQL crashes, freezes, drops the connection that listens: what was acknowledged is there, what was
// not sends nothing.
import { paced } from '../../../support/waiting/paced.mjs';
import { Calls } from '../../../failover/calls.mjs';
import { percentile, until } from '../figures.mjs';
import { LEASE_MS, underWay } from '../limits.mjs';

async function crashed(lab) {
  return lab.stage({}, async (stage) => {
    const { writer, stores } = stage;
    const crashes = 3;
    const crashing = async () => {
      for (let i = 0; i < crashes; i++) {
        await paced(2_000);
        await lab.postgres.crash();
        await lab.postgres.start();
      }
      await paced(2_000);
    };
    await writer.during(crashing());
    await stage.quiet();
    const failed = writer.unanswered + writer.refusals.length;
    const done = `stopped at once and recovered ${crashes} times, ${failed} calls failed`;
    const problems = [stage.web, ...stage.deliverers].every(({ running }) => running)
      ? []
      : ['a process ended with the database'];
    return { done, ...(await stage.verdict({ repeats: underWay(crashes, stores), problems })) };
  });
}

/** As an update of its package does it: whoever comes while it is away waits, and is answered. */
async function restarted(lab, { short }) {
  return lab.stage({ roles: 'web,deliver', deliverers: 0 }, async (stage) => {
    const calls = new Calls(stage, [stage.web]);
    const restarts = [];
    await calls.during(async () => {
      while (restarts.length < (short ? 1 : 3)) {
        await paced(2_000);
        const stopping = performance.now();
        await lab.postgres.stop();
        restarts.push({ stopping, gone: performance.now() });
        await paced(1_000);
        await lab.postgres.start();
      }
      await paced(2_000);
    });
    await stage.quiet();
    const others = calls.failed.filter(
      ({ started, at }) => !restarts.some(({ stopping, gone }) => started < gone && at > stopping),
    );
    const problems = await calls.keyedProblems(lab);
    if (others.length > 0)
      problems.push(`${others.length} calls failed that were not under way at a stop: ${others[0].text}`);
    const { right, failed } = calls;
    const done =
      `stopped and started ${restarts.length} times, ` +
      `${failed.length} of ${right + failed.length} calls failed`;
    return { done, ...(await stage.verdict({ repeats: underWay(restarts.length, stage.stores), problems })) };
  });
}

async function frozen(lab) {
  return lab.stage({ deliverers: 2 }, async (stage) => {
    const { writer, stores } = stage;
    const frozenMs = LEASE_MS + 4_000;
    const freezing = async () => {
      await paced(1_500);
      lab.postgres.signalAll('SIGSTOP');
      await paced(frozenMs);
      lab.postgres.signalAll('SIGCONT');
      await paced(1_500);
    };
    await writer.during(freezing());
    await stage.quiet();
    const done = `SIGSTOP of the server for ${frozenMs / 1000} s, two workers`;
    return { done, ...(await stage.verdict({ repeats: underWay(2, stores) })) };
  });
}

async function unheard(lab) {
  return lab.stage({}, async (stage) => {
    const { writer, receiver, stores } = stage;
    const listeners = () =>
      lab.query(`select pid from pg_stat_activity where application_name = 'shop-listener'`);
    const cut = async () => {
      for (let i = 0; i < 5; i++) {
        for (const { pid } of await listeners()) await lab.query('select pg_terminate_backend($1)', [pid]);
        await paced(600);
      }
    };
    await Promise.all([writer.steadily(50, 4), cut()]);
    const worst = Math.max(...receiver.latencies(stores));
    const isBack = await until(async () => (await listeners()).length >= 2, 10_000);
    await paced(500);
    const since = Date.now();
    await writer.steadily(20, 2);
    await stage.quiet();
    const afterwards = percentile(receiver.latencies(stores, since), 0.9);
    const problems = [
      ...(isBack ? [] : ['nobody listens again']),
      ...(worst > 3_000 ? [`a change waited ${worst} ms, a sweep is one second`] : []),
      ...(afterwards > 500 ? [`notifications are not heard again: p90 ${afterwards} ms`] : []),
    ];
    return {
      done: `the listening connections ended 5 times; longest wait ${worst} ms`,
      ...(await stage.verdict({ problems })),
    };
  });
}

export const faults = [
  { id: 'F10', name: 'PostgreSQL crashes', run: crashed },
  { id: 'F11', name: 'PostgreSQL frozen', run: frozen },
  { id: 'F12', name: 'notifications cut', run: unheard },
  { id: 'F28', name: 'PostgreSQL restarted', run: restarted },
];
