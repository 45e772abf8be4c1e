// Processes that die, freeze or stop, at the worst moments.
import pg from 'pg';
import { paced } from '../../../support/waiting/paced.mjs';
import { percentile, until } from '../figures.mjs';
import { LEASE_MS, underWay } from '../limits.mjs';
import { behaviour } from '../receiver.mjs';

const rss = (service) => service.rssMb ?? 0;

async function baseline(lab) {
  return lab.stage({}, async (stage) => {
    const { writer, web, deliverers } = stage;
    const connections = async () =>
      (await lab.query(`select count(*)::int from pg_stat_activity where application_name like 'shop-%'`))[0]
        .count;
    await writer.make(2_000);
    await stage.quiet();
    const before = { connections: await connections(), web: rss(web), deliver: rss(deliverers[0]) };
    await writer.make(8_000);
    await stage.quiet();
    const after = { connections: await connections(), web: rss(web), deliver: rss(deliverers[0]) };
    const grown = (role) => after[role] - before[role];
    const problems = [
      ...(after.connections > before.connections + 2
        ? [`I9: ${before.connections} connections grew to ${after.connections}`]
        : []),
      ...['web', 'deliver']
        .filter((role) => grown(role) > 80)
        .map((role) => `I9: ${role} grew by ${grown(role)} MiB`),
    ];
    const latency = percentile(stage.receiver.latencies(stage.stores), 0.95);
    const done =
      `nothing: 10,000 changes as fast as they go; p95 ${latency} ms, ` +
      `RSS ${before.deliver} to ${after.deliver} MiB`;
    return { done, ...(await stage.verdict({ problems, schedule: true })) };
  });
}

/** F1: five workers die while 10,000 deliveries are under way. */
async function killWorkers(lab) {
  return lab.stage({}, async (stage) => {
    const { writer, receiver } = stage;
    const kills = 5;
    let [worker] = stage.deliverers;
    const killing = async () => {
      for (let i = 1; i <= kills; i++) {
        // Its successor is up already, so that the load does not pause with it.
        const next = await stage.startDeliverer();
        await until(() => receiver.posts.length >= (i * 10_000) / (kills + 2), 60_000, 5);
        await worker.kill();
        worker = next;
      }
    };
    await Promise.all([writer.make(10_000), killing()]);
    const took = await stage.quiet(90_000);
    const problems = took > LEASE_MS + 25_000 ? [`it took ${took} ms to recover`] : [];
    const done = `kill -9 of the worker ${kills} times in 10,000 deliveries`;
    return { done, ...(await stage.verdict({ repeats: underWay(kills, stage.stores), problems })) };
  });
}

/** F2: nobody hears the doorbell, and who rang it dies with the acknowledgement still warm. */
async function killAfterCommit(lab) {
  return lab.stage({ deliverers: 0 }, async (stage) => {
    const rounds = 3;
    for (let i = 0; i < rounds; i++) {
      if (i > 0) stage.web = await stage.startWeb();
      await Promise.all(Array.from({ length: 10 }, () => stage.writer.change()));
      await stage.web.kill();
    }
    await stage.startDeliverer();
    const up = Date.now();
    await stage.quiet();
    const last = Math.max(...stage.receiver.posts.map(({ at }) => at)) - up;
    const problems = last > 5_000 ? [`the sweep took ${last} ms`] : [];
    return {
      done: `kill -9 of the API right after the answer, ${rounds} times`,
      ...(await stage.verdict({ problems })),
    };
  });
}

/** F3: the API dies inside a transaction that waits for a lock of ours. */
async function killBeforeCommit(lab) {
  return lab.stage({ stores: 3 }, async (stage) => {
    const { writer, stores } = stage;
    const orders = stores.map((store) => ({ id: store.orders[0], store, changes: 0 }));
    const locker = new pg.Client({ connectionString: lab.postgres.url });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select 1 from orders where id = any($1) for update', [orders.map(({ id }) => id)]);
    const calls = orders.map((order) => writer.change(order));
    const waiting = async () =>
      (
        await lab.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%update orders%'`,
        )
      ).length >= 3;
    if (!(await until(waiting, 10_000))) throw new Error('the calls did not come to wait for the lock');
    await stage.web.kill();
    await locker.query('commit');
    await locker.end();
    await Promise.all(calls);
    await paced(2_500);
    const problems = [];
    if (writer.unanswered !== 3) problems.push(`${writer.unanswered} of 3 calls stayed unanswered`);
    const changed = await lab.query(`select 1 from orders where id = any($1) and status <> 'PENDING'`, [
      orders.map(({ id }) => id),
    ]);
    if (changed.length > 0) problems.push(`I2: ${changed.length} orders were changed by a call that died`);
    if (stage.receiver.posts.length > 0)
      problems.push(`I2: ${stage.receiver.posts.length} POSTs of what was not committed`);
    return { done: 'kill -9 of the API inside 3 transactions', ...(await stage.verdict({ problems })) };
  });
}

/** F4: the worker dies between the POST and its result; another repeats it, once. */
async function killAfterPost(lab) {
  return lab.stage({ stores: 1, orders: 3 }, async (stage) => {
    const { receiver, writer, stores } = stage;
    const rounds = 3;
    let [worker] = stage.deliverers;
    for (let i = 0; i < rounds; i++) {
      const killed = new Promise((resolve) => {
        receiver.behave(stores[0], async (response) => {
          receiver.behave(stores[0], behaviour.accept);
          // In one round the answer is on its way before the worker dies, in the others it never comes.
          if (i === 1) response.writeHead(204).end();
          await worker.kill();
          resolve();
        });
      });
      await writer.change();
      await killed;
      worker = await stage.startDeliverer();
      await stage.quiet();
    }
    const result = await stage.verdict({ repeats: rounds });
    if (result.repeats < rounds - 1)
      result.broken.push(`only ${result.repeats} of ${rounds} deaths led to a repeat: the fault missed`);
    return { done: `kill -9 of the worker by the endpoint it POSTs to, ${rounds} times`, ...result };
  });
}

/** F13: one of two workers sleeps past its leases and wakes with results that are no longer its own. */
async function freezeWorker(lab) {
  return lab.stage({ deliverers: 2, stores: 10 }, async (stage) => {
    const { receiver, writer, stores, deliverers } = stage;
    const frozenMs = LEASE_MS + 4_000;
    for (const store of stores) receiver.behave(store, behaviour.acceptAfter(300));
    const freezing = (async () => {
      await paced(1_000);
      deliverers[0].signal('SIGSTOP');
      await paced(frozenMs);
      deliverers[0].signal('SIGCONT');
      await paced(1_000);
    })();
    await Promise.all([writer.steadily(60, frozenMs / 1000 + 1), freezing]);
    await stage.quiet();
    const result = await stage.verdict({ repeats: underWay(1, stores) });
    const [{ count }] = await lab.query(
      `select count(*)::int from webhook_deliveries where store_id = any($1) and failed_attempts > 1`,
      [stores.map(({ id }) => id)],
    );
    if (count > 0)
      result.broken.push(`${count} deliveries were charged more than the one attempt that slept`);
    return { done: `one of two workers frozen for ${frozenMs / 1000} s`, ...result };
  });
}

/** F22: instances are replaced one by one while changes come in; nobody may notice. */
async function rollingRestart(lab) {
  return lab.stage({ stores: 30 }, async (stage) => {
    const { writer, receiver, stores } = stage;
    const problems = [];
    for (const store of stores) receiver.behave(store, behaviour.acceptAfter(50));
    const retire = async (service) => {
      const { code, milliseconds } = await service.stop();
      if (code !== 0) problems.push(`an instance ended with ${code}`);
      if (milliseconds > 12_000) problems.push(`an instance took ${milliseconds} ms to stop`);
    };
    const rounds = 3;
    let [worker] = stage.deliverers;
    const rolling = async () => {
      for (let i = 0; i < rounds; i++) {
        const [web, next] = await Promise.all([stage.startBoth(), stage.startDeliverer()]);
        const old = [stage.web, worker];
        [stage.web, worker] = [web, next];
        await Promise.all(old.map(retire));
      }
    };
    await writer.during(rolling());
    await stage.quiet();
    if (writer.unanswered > 0)
      problems.push(`${writer.unanswered} calls got no answer, the last because of ${writer.lastFailure}`);
    return {
      done: `API and worker replaced ${rounds} times, SIGTERM under load`,
      ...(await stage.verdict({ problems, schedule: true })),
    };
  });
}

export const faults = [
  { id: 'F0', name: 'no fault', run: baseline },
  { id: 'F1', name: 'worker killed under load', run: killWorkers },
  { id: 'F2', name: 'API killed after commit', run: killAfterCommit },
  { id: 'F3', name: 'API killed before commit', run: killBeforeCommit },
  { id: 'F4', name: 'worker killed after its POST', run: killAfterPost },
  { id: 'F13', name: 'worker frozen past its lease', run: freezeWorker },
  { id: 'F22', name: 'rolling restart', run: rollingRestart },
];
