// Processes whose clocks are wrong: due times and leases go by the database's (docs/behaviour.md §7.8).
import path from 'node:path';
import { percentile } from '../figures.mjs';
import { behaviour } from '../receiver.mjs';

const SKEW = path.join(import.meta.dirname, '../skew.mjs');
const AHEAD = { CLOCK_SKEW_MS: '60000' };
const BEHIND = { CLOCK_SKEW_MS: '-60000' };
/** What a change may wait: a look a second, and a machine with other work. */
const LIMIT_MS = 1_000;

async function apart(lab) {
  return lab.stage({ stores: 10, deliverers: 0, preload: SKEW }, async (stage) => {
    const { writer, receiver, stores } = stage;
    // Long enough under way for another worker to take it, if it thought the lease was over.
    for (const store of stores) receiver.behave(store, behaviour.acceptAfter(400));
    await Promise.all([stage.startDeliverer(AHEAD), stage.startDeliverer(BEHIND)]);
    await writer.steadily(20, 3);
    const since = Date.now();
    for (const env of [AHEAD, BEHIND]) {
      await stage.web.stop();
      stage.web = await stage.startWeb(env);
      await writer.steadily(20, 5);
    }
    const refused = stores[0];
    receiver.behave(refused, behaviour.refuse(503));
    await writer.change({ id: refused.orders[0], store: refused, changes: 0 });
    await stage.quiet();
    const p95 = percentile(receiver.latencies(stores.slice(1), since), 0.95);
    const problems = p95 > LIMIT_MS ? [`a change waits ${p95} ms`] : [];
    return {
      done: `two workers and two APIs 60 s ahead and 60 s behind; p95 ${p95} ms`,
      ...(await stage.verdict({ problems, schedule: true })),
    };
  });
}

export const faults = [{ id: 'F25', name: 'clocks 60 s apart', run: apart }];
