// Compares two processes with one. On a machine whose cores are also needed for the database and the load,
// each process is limited to a share of a core.
import { mkdirSync, rmdirSync, existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { compare, load } from './measure.mjs';
import { startService, stop } from './service.mjs';

const SHARE = 0.35;
const PERIOD_MICROS = 100_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

/**
 * Limits a process to a share of one core.
 * @returns a function that removes the limit
 * @throws Error if there is no permission for that
 */
function limit(pid, share) {
  const isV1 = existsSync(`${V1}/cpu.cfs_quota_us`);
  const folder = `${isV1 ? V1 : V2}/shop-bench-${pid}`;
  mkdirSync(folder);
  const quota = share * PERIOD_MICROS;
  if (isV1) {
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD_MICROS));
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota));
  } else {
    writeFileSync(`${folder}/cpu.max`, `${quota} ${PERIOD_MICROS}`);
  }
  writeFileSync(`${folder}/cgroup.procs`, String(pid));
  return () => rmdirSync(folder);
}

/** @returns how two processes on one database compare with one, and the share of a core that each had */
export async function measureProcesses(database, options) {
  const services = [await startService(database), await startService(database), await startService(database)];
  let share = 1;
  let free = [];
  // Warmed up before they are limited, because a limited process would take minutes to warm up.
  for (const { port } of services)
    await load({ ...options, ports: [port], operation: 'get_order', seconds: 5 });
  try {
    if (cpus().length < 6) {
      try {
        free = services.map(({ pid }) => limit(pid, SHARE));
        share = SHARE;
      } catch (error) {
        console.log(
          `\nProcesses cannot be limited here (${error.message}); ` +
            'too few cores show nothing about two of them',
        );
      }
    }
    const [alone, ...pair] = services;
    const targets = {
      one: { ports: [alone.port], pids: [alone.pid] },
      two: { ports: pair.map(({ port }) => port), pids: pair.map(({ pid }) => pid) },
    };
    const result = await compare(`get_order, processes with ${share} of a core each`, targets, {
      ...options,
      operation: 'get_order',
    });
    return { ...result, shareOfCore: share };
  } finally {
    for (const { child } of services) await stop(child);
    for (const give of free) give();
  }
}
