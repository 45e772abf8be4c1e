import { preparedDatabase } from '../../support/database/own-database.js';
import { isSlow } from '../../support/slow.js';
import { BotApiServer } from '../../support/servers/bot-api-server.js';
import { TestApp, TestClock } from '../../support/test-app.js';
import { LAWS } from './laws.js';
import { Gone, look } from './look.js';
import { RandomShop, type Surroundings } from './random-shop.js';
import { CURRENCIES } from './steps.js';
import { stepsOf } from './stories.js';

const STEPS = isSlow ? 200 : 60;

/** `SEED=1,2` repeats runs; test:slow makes other choices each time. */
function seeds(): number[] {
  if (process.env.SEED) return process.env.SEED.split(',').map(Number);
  const first = isSlow ? Math.floor(Math.random() * 1_000_000_000) : 20261124;
  return Array.from({ length: isSlow ? 200 : 1 }, (_, i) => first + i);
}

describe('the laws of a shop (docs/behaviour.md §6)', () => {
  let world: Surroundings;

  beforeAll(async () => {
    const messenger = await BotApiServer.start();
    const clock = new TestClock();
    // The job for unpaid orders looks at all stores, so there is a database of its own.
    const database = await preparedDatabase();
    const env = { MESSENGER_API_ROOT: messenger.apiRoot };
    world = { clock, messenger, app: await TestApp.start({ database, clock, env }) };
    // Jobs are steps of the shop.
    await world.app.stopJobs();
  });
  afterAll(async () => {
    await world.app.stop();
    await world.messenger.close();
  });

  /** @throws an error that names the seed, the step and the law */
  async function run(seed: number): Promise<number> {
    const currency = CURRENCIES[seed % CURRENCIES.length];
    const shop = await RandomShop.open(world, currency);
    const gone = new Gone();
    const see = async (nth: number) => (shop.seen = await look(shop, nth));
    let before = await see(0);
    let taken = 0;
    for (const [i, step] of stepsOf(seed, STEPS).entries()) {
      const at = `SEED=${seed} (${currency}), step ${i} ${JSON.stringify(step)}`;
      try {
        if (step.do === 'any') {
          await shop.prepare(step.nth);
          before = await see(i);
        }
        const outcome = await shop.take(step);
        const after = await see(i);
        if (outcome.counted) shop.count(outcome.counted, after, gone);
        const orderIds = new Set(shop.orderIds);
        const left = before.holdings.filter(({ id }) => !orderIds.has(id));
        for (const holding of left) gone.add(holding);
        for (const { name, sentence, compare } of LAWS) {
          const law = `${name}: ${sentence}`;
          const [found, expected] = compare({ shop, outcome, before, after, gone });
          expect({ at, law, found }).toEqual({ at, law, found: expected });
        }
        before = after;
        if (outcome.isTaken) taken++;
      } catch (error) {
        throw new Error(`${at}: ${(error as Error).message}`, { cause: error });
      }
    }
    return taken;
  }

  it.each(seeds())(
    'hold after every step by every door, seed %i',
    async (seed) => {
      // A shop that refuses nearly everything would prove nothing.
      expect(await run(seed)).toBeGreaterThan(STEPS / 3);
    },
    600_000,
  );
});
