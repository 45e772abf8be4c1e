// I7: what hanging endpoints have due does not delay the others (docs/behaviour.md §7.6).
import { paced } from '../../../support/waiting/paced.mjs';
import { Canary } from '../canary.mjs';
import { until } from '../figures.mjs';
import { underWay } from '../limits.mjs';
import { Writer } from '../writer.mjs';

const HEALTHY = 5;
const PER_SECOND = 100;
const ROUNDS = 3;
/** A healthy store may wait this much longer: a fifth, or 50 ms, whichever is more. */
const allowed = (usual) => usual + Math.max(usual * 0.2, 50);

/**
 * A healthy store's p95 while thousands hang and the workers have just begun, in milliseconds
 * (docs/behaviour.md §7.8).
 */
const FRESH_MS = 1_000;

/**
 * Deliveries that are due, straight into the table: as many as an endpoint that has hung for a day would
 * have.
 */
const backlog = (lab, stores, each) =>
  lab.query(
    `with events as (
       insert into order_events (store_id, id, order_id, event, body, created_at)
       select s, ('019a' || substr(md5(random()::text), 1, 28))::uuid, 1, 'order.updated',
         convert_to('{"data":{"id":1,"updatedAt":"2026-01-01T00:00:00.000Z"}}', 'UTF8'),
         now() - interval '1 day'
       from unnest($1::uuid[]) s, generate_series(1, $2) returning store_id, id, created_at
     )
     insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
       select store_id, id, created_at, created_at from events`,
    [stores.map(({ id }) => id), each],
  );

async function hanging(lab, count, each) {
  const pit = await Canary.start({ isSilent: true });
  try {
    return await lab.stage(
      { stores: HEALTHY + count, orders: 20, env: { WEBHOOK_TIMEOUT: '10' } },
      async (stage) => {
        const [healthy, dead] = [stage.stores.slice(0, HEALTHY), stage.stores.slice(HEALTHY)];
        const ids = dead.map(({ id }) => id);
        stage.writer = new Writer(healthy, () => stage.web.url);
        const pause = (at) =>
          lab.query('update webhook_endpoints set paused_at = $2 where store_id = any($1)', [ids, at]);
        await lab.query('update webhook_endpoints set url = $2 where store_id = any($1)', [
          ids,
          `http://127.0.0.1:${pit.port}/`,
        ]);
        await pause(new Date());
        await backlog(lab, dead, each);
        const measured = async () => {
          const since = Date.now();
          await stage.writer.steadily(PER_SECOND, 6);
          await paced(500);
          return stage.receiver.p95(healthy, since);
        };
        // The first calls of a process are slow and would flatter the comparison.
        await stage.writer.steadily(PER_SECOND, 3);
        const rounds = [];
        // A machine with other work may spoil a measurement; an unfair queue spoils all of them.
        while (rounds.length < ROUNDS && !rounds.some(({ usual, during }) => during <= allowed(usual))) {
          await pause(new Date());
          await until(() => pit.open === 0, 12_000);
          const usual = await measured();
          await pause(null);
          if (!(await until(() => pit.open >= Math.min(count, 100), 5_000)))
            throw new Error('the hanging endpoints were not tried');
          rounds.push({ usual, during: await measured() });
        }
        const { usual, during } = rounds.at(-1);
        const problems =
          during <= allowed(usual)
            ? []
            : [`I7: p95 ${rounds.map((r) => `${r.usual} to ${r.during}`).join(', ')} ms`];
        await until(async () => (await stage.pending(healthy)) === 0, 10_000);
        stage.stores = healthy;
        const result = await stage.verdict({ problems });
        stage.stores = [...healthy, ...dead];
        return {
          done:
            `${count * each} due at ${count} hanging endpoint${count > 1 ? 's' : ''}; ` +
            `healthy p95 ${usual} to ${during} ms`,
          ...result,
        };
      },
    );
  } finally {
    await pit.stop();
  }
}

/**
 * F24: thousands of endpoints hang, and nobody knows it: first no process has ever tried them, then all
 * workers are new.
 */
async function freshStart(lab) {
  const count = 2_500;
  const pit = await Canary.start({ isSilent: true });
  try {
    const options = { stores: HEALTHY + 1 + count, orders: 8, deliverers: 0, env: { WEBHOOK_TIMEOUT: '10' } };
    return await lab.stage(options, async (stage) => {
      const [healthy, [warm], dead] = [
        stage.stores.slice(0, HEALTHY),
        stage.stores.slice(HEALTHY),
        stage.stores.slice(HEALTHY + 1),
      ];
      const ids = dead.map(({ id }) => id);
      const pause = (at) =>
        lab.query('update webhook_endpoints set paused_at = $2 where store_id = any($1)', [ids, at]);
      // The first calls of a process are slow, whatever is measured.
      stage.writer = new Writer([warm], () => stage.web.url);
      await stage.writer.steadily(PER_SECOND, 3);
      stage.writer.close();
      stage.writer = new Writer(healthy, () => stage.web.url);
      await lab.query('update webhook_endpoints set url = $2 where store_id = any($1)', [
        ids,
        `http://127.0.0.1:${pit.port}/`,
      ]);
      await backlog(lab, dead, 2);
      await pause(new Date());
      const waits = [];
      // None hangs; then all, and nobody has ever tried them; then all, and the database knows those that
      // were tried.
      for (let start = 0; start < 3; start++) {
        if (start === 1) await pause(null);
        const workers = await Promise.all([stage.startDeliverer(), stage.startDeliverer()]);
        const since = Date.now();
        await stage.writer.steadily(PER_SECOND, 10);
        waits.push(stage.receiver.p95(healthy, since));
        if (start > 0 && pit.open < 500)
          throw new Error(`only ${pit.open} of the hanging endpoints were tried`);
        if (start < 2) await Promise.all(workers.map((worker) => worker.kill()));
      }
      // What a killed worker had under way is due again after its lease.
      await until(async () => (await stage.pending(healthy)) === 0, 30_000);
      const [usual, ...during] = waits;
      const problems =
        Math.max(...during) > FRESH_MS ? [`I7: p95 ${usual} to ${during.join(' and ')} ms`] : [];
      stage.stores = healthy;
      stage.receiver.posts = stage.receiver.posts.filter(({ storeId }) => storeId !== warm.id);
      const result = await stage.verdict({ problems, repeats: underWay(4, healthy) });
      stage.stores = [...healthy, warm, ...dead];
      const done =
        `${count} hanging endpoints, two new workers each time; ` +
        `healthy p95 ${usual} to ${during.join(' and ')} ms`;
      return { done, ...result };
    });
  } finally {
    await pit.stop();
  }
}

export const faults = [
  { id: 'F15', name: '10,000 due at one that hangs', run: (lab) => hanging(lab, 1, 10_000) },
  { id: 'F24', name: '2,500 that hang, fresh start', run: freshStart },
  { id: 'F16', name: '100 stores that hang', run: (lab) => hanging(lab, 100, 100) },
];
