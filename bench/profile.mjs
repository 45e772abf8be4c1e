// npm run bench:profile [operation …]: where the service's processor time goes that the bare server does not spend, by file and by
// function, in microseconds a call. An operation may stand as `mcp:get_order`; that is compared with the bare server's HTTP.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newToken } from '../dist/src/platform/auth/token.js';
import { cpuMicros, isShort, load } from './measure.mjs';
import { seed } from './seed.mjs';
import { round, startBare, startService, withDatabase } from './service.mjs';

const STORES = 50;
const ORDERS = 20_000;
const CALLS = { get_order: 60_000, list_orders: 20_000, set_order_status: 15_000, ship_order: 15_000 };
const SHOWN = 30;
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folder = mkdtempSync(path.join(tmpdir(), 'shop-profile-'));
const root = path.join(import.meta.dirname, '..');

/** `node_modules/pg` of a package, `src/…` of the service's own file, `node:http` of Node's. */
function placeOf({ url, functionName }) {
  const file = url.replace(/^file:\/\//, '');
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name) return name;
  if (file.startsWith(root)) return path.relative(root, file).replace(/^dist\//, '');
  if (file !== '') return file.replace(/^node:internal\/([^/]+).*/, 'node:internal/$1');
  return functionName.startsWith('(') ? functionName : 'V8';
}

/** The time of a profile's own samples by `keyOf`, scaled to what the process spent on one call. */
function spread(profile, micros, keyOf) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const counts = new Map();
  let all = 0;
  for (const id of profile.samples) {
    const frame = byId.get(id);
    if (frame.functionName === '(idle)') continue;
    all++;
    const key = keyOf(frame);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map([...counts].map(([key, count]) => [key, (count / all) * micros]));
}

function show(title, service, bare, keyOf) {
  const [ours, theirs] = [service, bare].map(({ profile, micros }) => spread(profile, micros, keyOf));
  const rows = [...new Set([...ours.keys(), ...theirs.keys()])].map((key) => {
    const [a, b] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
    return { [title]: key, 'service, µs': round(a, 1), 'bare, µs': round(b, 1), 'more, µs': round(a - b, 1) };
  });
  rows.sort((a, b) => b['more, µs'] - a['more, µs']);
  console.table(rows.slice(0, SHOWN));
}

/** Has calls made of a warm server, once for the processor time alone and once with the profiler on, which costs time itself. */
async function profileOf({ child, port, file }, options, calls) {
  const made = (count) => load({ ...options, ports: [port], calls: count });
  await made(calls);
  const before = cpuMicros(child.pid);
  await made(calls);
  const micros = (cpuMicros(child.pid) - before) / calls;
  child.output = '';
  child.kill('SIGUSR2');
  await sleep(500);
  await made(calls);
  child.kill('SIGUSR2');
  while (!child.output.includes('profile written')) await sleep(50);
  return { micros, profile: JSON.parse(readFileSync(file, 'utf8')) };
}

try {
  await withDatabase(async (database) => {
    const { stores, tokens } = await seed(database.url, { stores: STORES, orders: ORDERS, newToken });
    const profiled = (name) => ({
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'profiled.mjs')}`,
      PROFILE: path.join(folder, `${name}.cpuprofile`),
    });
    const servers = {
      bare: { ...(await startBare(database, stores, profiled('bare'))), file: profiled('bare').PROFILE },
      service: { ...(await startService(database, profiled('service'))), file: profiled('service').PROFILE },
    };
    for (const what of asked.length > 0 ? asked : Object.keys(CALLS)) {
      const [, isMcp, operation] = /^(mcp:)?(.*)$/.exec(what);
      const calls = Math.round(CALLS[operation] / (isShort ? 4 : 1));
      const options = { orders: ORDERS, tokens, operation };
      const bare = await profileOf(servers.bare, options, calls);
      const service = await profileOf(servers.service, isMcp ? { ...options, mcp: '2026-07-28' } : options, calls);
      const ratio = round(service.micros / bare.micros);
      console.log(`\n${what}: service ${round(service.micros, 0)} µs, bare ${round(bare.micros, 0)} µs a call, ratio ${ratio}`);
      show('place', service, bare, placeOf);
      show(
        'function',
        service,
        bare,
        (frame) => `${frame.functionName || 'anonymous'} ${placeOf(frame)}:${frame.lineNumber + 1}`,
      );
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
