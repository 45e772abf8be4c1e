// Instances are replaced one after the other behind a real HAProxy that tries nothing twice: no call may
// notice.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { paced } from '../../../support/waiting/paced.mjs';
import { percentile, until } from '../figures.mjs';
import { end, freePort } from '../servers.mjs';

const PER_SECOND = 50;
/** Longer than HAProxy takes to notice with the settings of the documentation: two checks, a second apart. */
const SHUTDOWN_DELAY = 4;
/** Debian installs it where only root looks for programs. */
export const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);

/**
 * The settings of docs/operations.md as they are written, with other addresses, and without any second try of
 * HAProxy's own.
 */
function settings(port, instances) {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
  const [, written] = /```haproxy\n(.+?)```/s.exec(text);
  const moved = written
    .replace('bind *:80', `bind 127.0.0.1:${port}`)
    .replace('10.0.0.11:3000', new URL(instances[0].url).host)
    .replace('10.0.0.12:3000', new URL(instances[1].url).host)
    .replace('retries 3', 'retries 0')
    .replace('option redispatch\n', '\n');
  if (moved.includes('10.0.0.') || !moved.includes('retries 0'))
    throw new Error('the settings are not what this fault replaces');
  return moved;
}

async function balancer(instances) {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-haproxy-'));
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, settings(port, instances));
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const stop = async () => {
    await end(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await until(answers, 10_000))) {
    await stop();
    throw new Error(`HAProxy does not serve: ${said}`);
  }
  return { url, stop };
}

/** @param restarts how many, of the two instances in turn */
async function rolling(lab, restarts) {
  return lab.stage(
    { roles: 'web,deliver', deliverers: 0, env: { SHUTDOWN_DELAY: String(SHUTDOWN_DELAY) } },
    async (stage) => {
      const { writer, stores } = stage;
      const instances = [stage.web, await stage.startBoth()];
      const haproxy = await balancer(instances);
      const direct = writer.url;
      writer.url = () => haproxy.url;
      const reads = { right: 0, failed: [] };
      const underWay = new Set();
      let over = false;
      const reading = (async () => {
        for (let i = 0; !over; i++) {
          const store = stores[i % stores.length];
          const call = writer.call('get_order', { orderId: store.orders[0] }, store).then(
            ({ status }) => (status === 200 ? reads.right++ : reads.failed.push(status)),
            (error) => reads.failed.push(error.message),
          );
          underWay.add(call);
          void call.then(() => underWay.delete(call));
          await paced((1000 / PER_SECOND) * 2);
        }
        await Promise.all(underWay);
      })();
      const problems = [];
      let changing = true;
      const restarting = (async () => {
        await paced(1_000);
        for (let i = 0; i < restarts; i++) {
          const old = instances[i % 2];
          const { code, milliseconds } = await old.stop();
          if (code !== 0) problems.push(`an instance ended with ${code}`);
          if (milliseconds > SHUTDOWN_DELAY * 1000 + 12_000)
            problems.push(`an instance took ${milliseconds} ms to stop`);
          instances[i % 2] = await stage.startBoth({ PORT: new URL(old.url).port });
          // HAProxy looks once a second, and must have seen it before the other one goes.
          await paced(3_000);
        }
      })().finally(() => (changing = false));
      try {
        while (changing) await writer.steadily(PER_SECOND / 2, 1);
        await restarting;
        over = true;
        await reading;
      } finally {
        over = true;
        await haproxy.stop();
      }
      [stage.web] = instances;
      writer.url = direct;
      const calls =
        reads.right +
        reads.failed.length +
        writer.acknowledged.length +
        writer.unanswered +
        writer.refusals.length;
      const failed = reads.failed.length + writer.unanswered + writer.refusals.length;
      if (failed > 0) {
        const why = reads.failed[0] ?? (writer.lastFailure || writer.refusals[0]?.text);
        problems.push(`${failed} of ${calls} calls failed, one because of ${why}`);
      }
      await stage.quiet();
      const p95 = Math.round(
        percentile(
          writer.acknowledged.map(({ milliseconds }) => milliseconds),
          0.95,
        ),
      );
      const done =
        `${restarts} restarts behind HAProxy without retries: ` +
        `${failed} of ${calls} calls failed, p95 ${p95} ms`;
      return { done, ...(await stage.verdict({ problems })) };
    },
  );
}

export const faults = [
  {
    id: 'F27',
    name: 'rolling restart, balanced',
    missing: HAPROXY ? null : 'haproxy is not installed',
    run: (lab, { short }) => rolling(lab, short ? 2 : 4),
  },
];
