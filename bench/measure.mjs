// How the benchmarks measure: a separate process generates the load, in alternating rounds, while the
// server's processor time is recorded.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { median, round } from './service.mjs';

/** `npm run bench -- --short` gives a first impression, not a measurement. */
export const isShort = process.argv.includes('--short');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? (isShort ? 3 : 5));
const SECONDS = Number(process.env.BENCH_SECONDS ?? (isShort ? 1 : 3));
/**
 * Counted in calls, because V8 decides by calls what to compile. The limit in seconds is for a busy machine.
 */
const WARM_UP = { calls: 15_000, seconds: 15 };
export const CONNECTIONS = 32;

/** Runs bench/load.mjs and returns its result. */
export async function load(options) {
  const file = path.join(import.meta.dirname, 'load.mjs');
  const given = JSON.stringify({ connections: CONNECTIONS, ...options });
  const { stdout } = await promisify(execFile)(process.execPath, [file, given]);
  return JSON.parse(stdout);
}

/** The processor time of all threads of a process so far, in microseconds. */
export function cpuMicros(pid) {
  const tasks = `/proc/${pid}/task`;
  const nanos = readdirSync(tasks).map((id) =>
    Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanos.reduce((sum, value) => sum + value, 0) / 1_000;
}

const parentOf = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);

/** The processor time so far of all processes of the database that has this backend, in µs, by process id. */
export function cpuOfDatabase(backend) {
  const postmaster = parentOf(backend);
  const found = new Map([[postmaster, cpuMicros(postmaster)]]);
  for (const name of readdirSync('/proc')) {
    try {
      if (/^\d+$/.test(name) && parentOf(name) === postmaster) found.set(Number(name), cpuMicros(name));
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found;
}

/** @returns the processor time between two readings, in µs */
export function spentBy(before, after) {
  return [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0);
}

/** The resident memory of a process, in MB. */
export function rssMb(pid) {
  return round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024, 0);
}

/**
 * Sends load to two targets, `{ ports, pids, mcp }`, in turns; every other time the second one goes first.
 * Both are warmed up before, unless the load has a rate.
 * @returns a row for each, and how the second compares with the first in calls per second, processor time per
 * call, p50 and p99: the median of the rounds' ratios, and their range
 */
export async function compare(what, targets, options) {
  const names = Object.keys(targets);
  const rounds = Object.fromEntries(names.map((name) => [name, []]));
  if (!options.ratePerSecond)
    for (const name of names) await load({ ...options, ...target(targets[name]), ...WARM_UP });
  for (let i = 0; i < ROUNDS; i++) {
    for (const name of i % 2 === 0 ? names : names.toReversed()) {
      const { pids } = targets[name];
      const cpu = () => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);
      const before = cpu();
      const result = await load({ ...options, ...target(targets[name]), seconds: SECONDS });
      rounds[name].push({ ...result, cpuMicros: (cpu() - before) / result.calls });
    }
  }
  const [first, second] = names;
  const ratios = Object.fromEntries(
    ['perSecond', 'cpuMicros', 'p50', 'p99'].map((key) => {
      const found = rounds[second].map((its, i) => its[key] / rounds[first][i][key]);
      return [
        key,
        { ratio: round(median(found)), range: [round(Math.min(...found)), round(Math.max(...found))] },
      ];
    }),
  );
  const middle = (name, key, digits) => round(median(rounds[name].map((found) => found[key])), digits);
  const rows = names.map((name) => ({
    server: name,
    perSecond: middle(name, 'perSecond', 0),
    p50: middle(name, 'p50'),
    p99: middle(name, 'p99'),
    cpuMicros: middle(name, 'cpuMicros', 0),
    errors: rounds[name].reduce((sum, { errors }) => sum + errors, 0),
  }));
  const said = ({ ratio, range }) => `${ratio} (${range.join(' to ')})`;
  console.log(
    `\n${what}, ${second} of ${first}: processor time ${said(ratios.cpuMicros)}, ` +
      `calls a second ${said(ratios.perSecond)}, p50 ${said(ratios.p50)}, p99 ${said(ratios.p99)}`,
  );
  console.table(rows);
  return { what, ratios, rows };
}

const target = ({ ports, mcp }) => ({ ports, mcp });
