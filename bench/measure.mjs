// How the bench measures: loads from a process of their own, in alternating rounds, with the server's processor time beside.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { median, round } from './service.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
export const CONNECTIONS = 32;

/** Runs bench/load.mjs and returns what it found. */
export async function load(options) {
  const file = path.join(import.meta.dirname, 'load.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [
    file,
    JSON.stringify({ connections: CONNECTIONS, ...options }),
  ]);
  return JSON.parse(stdout);
}

/** User and system time of a process so far, in microseconds (100 ticks a second). */
function cpuMicros(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process, in MB. */
export function rssMb(pid) {
  return round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024, 0);
}

/**
 * Loads two targets, `{ ports, pids, mcp }`, in turns, each first every other time.
 * @returns a row for each, and how the second compares with the first: the median of the rounds' ratios, and their range
 */
export async function compare(what, targets, options) {
  const names = Object.keys(targets);
  const rounds = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await load({ ...options, ...target(targets[name]), seconds: 2 });
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
  const ratios = rounds[second].map(({ perSecond }, i) => perSecond / rounds[first][i].perSecond);
  const middle = (name, key, digits) => round(median(rounds[name].map((found) => found[key])), digits);
  const rows = names.map((name) => ({
    server: name,
    perSecond: middle(name, 'perSecond', 0),
    p50: middle(name, 'p50'),
    p99: middle(name, 'p99'),
    cpuMicros: middle(name, 'cpuMicros', 0),
    errors: rounds[name].reduce((sum, { errors }) => sum + errors, 0),
  }));
  const ratio = round(median(ratios));
  const range = [round(Math.min(...ratios)), round(Math.max(...ratios))];
  console.log(`\n${what}: ${second} at ${ratio} of ${first} (${range.join(' to ')})`);
  console.table(rows);
  return { what, ratio, range, rows };
}

const target = ({ ports, mcp }) => ({ ports, mcp });
