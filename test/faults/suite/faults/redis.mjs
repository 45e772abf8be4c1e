// Redis emptied, gone, frozen, restarted, full: the bell may be late, the deliveries are rows in PostgreSQL.
import { paced } from '../../../support/waiting/paced.mjs';
import { percentile } from '../figures.mjs';

const PER_SECOND = 60;
/** A slower bell than this could be the sweep, which comes by each second. */
const BELL_MS = 300;
const calls = (writer, from = 0) => writer.acknowledged.slice(from).map(({ milliseconds }) => milliseconds);

/** Changes a while with Redis well, then while the fault is on; tells the p95 of the calls in both. */
async function compared(stage, seconds, fault) {
  const { writer } = stage;
  // The first calls of a process are slow and would flatter the comparison.
  await writer.make(300, 8);
  const warm = writer.acknowledged.length;
  await writer.steadily(PER_SECOND, 3);
  const before = writer.acknowledged.length;
  const since = Date.now();
  const lift = await fault();
  await writer.steadily(PER_SECOND, seconds);
  await lift?.();
  await stage.quiet();
  return {
    usual: Math.round(percentile(calls(writer).slice(warm, before), 0.95)),
    during: Math.round(percentile(calls(writer, before), 0.95)),
    slowest: Math.round(Math.max(...calls(writer, before))),
    delivery: stage.receiver.p95(stage.stores, since),
  };
}

/** Whatever becomes of Redis, no call fails. */
const withRedis = (lab, work) =>
  lab.stage({ redis: true }, async (stage) => {
    const row = await work(stage);
    const { refusals, unanswered, lastFailure } = stage.writer;
    const failed = refusals.length + unanswered;
    const why = refusals[0]?.text ?? lastFailure;
    return failed === 0 ? row : { ...row, broken: [...row.broken, `${failed} calls failed: ${why}`] };
  });
const tooSlow = (name, value, limit) => (value > limit ? [`${name} of ${value} ms, ${limit} allowed`] : []);

/** A tenth more than usual, or what a machine with other work does to a percentile. */
const aTenthMore = (milliseconds) => milliseconds * 1.1 + 40;

async function flushed(lab) {
  return withRedis(lab, async (stage) => {
    const { delivery } = await compared(stage, 8, async () => {
      const flushing = setInterval(() => void lab.redis.command('flushall').catch(() => undefined), 500);
      return () => clearInterval(flushing);
    });
    const problems = tooSlow('a p95 from change to POST', delivery, 1_500);
    return {
      done: `FLUSHALL each 500 ms for 8 s; p95 ${delivery} ms`,
      ...(await stage.verdict({ problems })),
    };
  });
}

async function gone(lab) {
  return withRedis(lab, async (stage) => {
    const { usual, during, delivery } = await compared(stage, 6, () => lab.redis.kill());
    await lab.redis.start();
    const problems = [
      ...tooSlow('a p95 of calls', during, aTenthMore(usual)),
      ...tooSlow('a p95 to POST', delivery, 1_500),
    ];
    return {
      done: `kill -9 for good; p95 of calls ${usual} to ${during} ms`,
      ...(await stage.verdict({ problems })),
    };
  });
}

async function frozen(lab) {
  return withRedis(lab, async (stage) => {
    const { slowest, delivery } = await compared(stage, 8, async () => {
      lab.redis.signal('SIGSTOP');
      return () => lab.redis.signal('SIGCONT');
    });
    // The budget asks Redis for 250 ms once a second, then counts alone; the bell keeps nobody waiting.
    const problems = [...tooSlow('a call', slowest, 1_500), ...tooSlow('a p95 to POST', delivery, 1_500)];
    return { done: `SIGSTOP for 8 s; slowest call ${slowest} ms`, ...(await stage.verdict({ problems })) };
  });
}

/**
 * Waits until changes are told by the bell again, not by the sweep. @returns how long it took, in
 * milliseconds
 */
async function bellRings({ writer, receiver, stores }) {
  const started = Date.now();
  for (let prompt = 0; prompt < 6;) {
    const { sentAt } = await writer.change();
    await paced(350 + Math.random() * 300);
    const [latency = Infinity] = receiver.latencies(stores, sentAt - 100).slice(-1);
    prompt = latency < BELL_MS ? prompt + 1 : 0;
    if (Date.now() - started > 40_000) return Infinity;
  }
  return Date.now() - started;
}

async function restarted(lab) {
  return withRedis(lab, async (stage) => {
    const { writer } = stage;
    const restarting = async () => {
      for (let i = 0; i < 3; i++) {
        await lab.redis.kill();
        await paced(700);
        await lab.redis.start();
        await paced(700);
      }
    };
    await Promise.all([writer.steadily(PER_SECOND, 5), restarting()]);
    const took = await bellRings(stage);
    await stage.quiet();
    const problems = tooSlow('a silence of the bell', took, 20_000);
    return {
      done: `killed and started empty 3 times; the bell rang within ${took} ms`,
      ...(await stage.verdict({ problems })),
    };
  });
}

async function full(lab) {
  return withRedis(lab, async (stage) => {
    const { delivery } = await compared(stage, 5, async () => {
      await lab.redis.command('config', 'set', 'maxmemory-policy', 'noeviction');
      await lab.redis.command('config', 'set', 'maxmemory', '1mb');
      return () => lab.redis.command('config', 'set', 'maxmemory', '0');
    });
    const keys = await lab.redis.command('dbsize');
    const problems = [
      ...tooSlow('a p95 to POST', delivery, 1_500),
      ...(keys > stage.stores.length * 5 + 50 ? [`I9: ${keys} keys are left in Redis`] : []),
    ];
    return { done: 'maxmemory 1mb, noeviction', ...(await stage.verdict({ problems })) };
  });
}

export const faults = [
  { id: 'F5', name: 'Redis emptied', needsRedis: true, run: flushed },
  { id: 'F6', name: 'Redis gone', needsRedis: true, run: gone },
  { id: 'F7', name: 'Redis frozen', needsRedis: true, run: frozen },
  { id: 'F8', name: 'Redis restarted empty', needsRedis: true, run: restarted },
  { id: 'F9', name: 'Redis full', needsRedis: true, run: full },
];
