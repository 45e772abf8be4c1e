import { cpus } from 'node:os';
import type { AttemptRecord } from '../../src/webhooks/delivery/delivery-queue.js';
import { isSlow } from '../support/slow.js';
import type { MemoryQueue } from './memory-queue.js';
import type { ProcessOptions } from './simulated-process.js';
import { simulate } from './simulation.js';

/** SEED=… runs one, SEEDS=… so many of them; npm run test:slow runs more. */
const SEED = process.env.SEED ? Number(process.env.SEED) : null;
const SEEDS = Number(process.env.SEEDS ?? (isSlow ? 2_000 : 100));

type Queue = Parameters<NonNullable<ProcessOptions['port']>>[0];

/** The first seed at which a broken port is noticed, and what is said of it. */
async function firstNoticed(
  port: (queue: Queue, memory: MemoryQueue) => Queue,
  seeds = 200,
): Promise<string | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { broken } = await simulate(seed, port);
    if (broken.length > 0) return broken[0];
  }
  return null;
}

describe('the dispatcher in a simulated world', () => {
  it(
    `keeps its promises, whatever goes wrong (${SEED ? `seed ${SEED}` : `${SEEDS} seeds`})`,
    async () => {
      const totals = { changes: 0, posts: 0, deaths: 0, steps: 0 };
      for (const seed of SEED ? [SEED] : Array.from({ length: SEEDS }, (_, i) => i + 1)) {
        const outcome = await simulate(seed);
        if (outcome.broken.length > 0) {
          throw new Error(
            `${outcome.broken.join('\n')}\nagain with: SEED=${seed} npx jest
              test/simulation/simulation.spec.ts`,
          );
        }
        for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += outcome[key];
      }
      // Seeds in which nothing happens would prove nothing.
      if (!SEED && SEEDS >= 100) {
        expect(totals.posts).toBeGreaterThan(totals.changes);
        expect(totals.deaths).toBeGreaterThan(SEEDS / 4);
      }
    },
    300_000 * Math.max(1, 2 / cpus().length),
  );

  it('gives the same result for the same seed', async () => {
    for (const seed of [3, 17, 99]) expect(await simulate(seed)).toEqual(await simulate(seed));
  });
});

describe('the simulation notices', () => {
  it('a result that is written without a look at its lease', async () => {
    const unfenced = (queue: Queue, memory: MemoryQueue): Queue => ({
      ...queue,
      record: (attempts, elapsed) =>
        queue.record(
          attempts.map((attempt) => held(attempt, memory)),
          elapsed,
        ),
    });
    expect(await firstNoticed(unfenced)).toMatch(/I[1-9]:/);
  });

  it('a lease that does not outlast the request', async () => {
    const short = (queue: Queue): Queue => ({
      ...queue,
      claim: (wanted) => queue.claim(wanted, 3_000),
    });
    expect(await firstNoticed(short)).toMatch(/I3: .*lease/);
  });

  it('results that are thrown away', async () => {
    const forgetful = (queue: Queue): Queue => ({
      ...queue,
      record: async () => undefined,
    });
    expect(await firstNoticed(forgetful)).toMatch(/I[1-9]:/);
  });

  it('looks that miss a store', async () => {
    const blind = (queue: Queue): Queue => ({
      ...queue,
      dueStores: async () => [],
    });
    expect(await firstNoticed(blind)).toMatch(/I[17]:/);
  });

  it('paces that are never written', async () => {
    const untold = (queue: Queue): Queue => ({
      ...queue,
      paces: async (storeIds) => storeIds.map((storeId) => ({ storeId, pace: 'prompt' as const })),
      claim: async (wanted, leaseMs) =>
        (await queue.claim(wanted, leaseMs)).map((delivery) => ({
          ...delivery,
          failedAttempts: 0,
        })),
    });
    expect(await firstNoticed(untold)).toMatch(/I6:/);
  });
});

/** The attempt as if its process held the lease, whoever does. */
function held(attempt: AttemptRecord, memory: MemoryQueue): AttemptRecord {
  const leaseToken = memory.rows.get(attempt.delivery.id)?.leaseToken ?? attempt.delivery.leaseToken;
  return { ...attempt, delivery: { ...attempt.delivery, leaseToken } };
}
