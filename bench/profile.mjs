// npm run bench:profile [operation …]: shows where the service spends processor time that the bare server
// does not, by file and by function, in microseconds per call. An operation can be given as `mcp:get_order`,
// which is compared with the bare server's HTTP.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
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

const maps = new Map();

/** The source file of a line in a bundled program. For a file that was not bundled, the file itself. */
function originOf({ url, lineNumber, columnNumber }) {
  const file = url.replace(/^file:\/\//, '');
  if (!file.startsWith(path.join(root, 'dist'))) return { file, line: lineNumber };
  if (!maps.has(file)) maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
  const { originalSource, originalLine } = maps.get(file).findEntry(lineNumber, columnNumber);
  return originalSource
    ? { file: path.resolve(path.dirname(file), originalSource), line: originalLine }
    : { file, line: lineNumber };
}

/** `pg` for a package, `src/…` for a file of the service, `node:http` for a module of Node. */
function placeOf(frame) {
  const { functionName } = frame;
  const { file } = originOf(frame);
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name) return name;
  if (file.startsWith(root)) return path.relative(root, file).replace(/^dist\//, '');
  if (file !== '') return file.replace(/^node:internal\/([^/]+).*/, 'node:internal/$1');
  return functionName.startsWith('(') ? functionName : 'V8';
}

/** The self time of a profile's samples, grouped by `keyOf` and scaled to the processor time of one call. */
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

/**
 * Makes calls to a warm server twice: once to measure the processor time alone, and once with the profiler
 * on, which itself costs time.
 */
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
      const service = await profileOf(
        servers.service,
        isMcp ? { ...options, mcp: '2026-07-28' } : options,
        calls,
      );
      const ratio = round(service.micros / bare.micros);
      console.log(
        `\n${what}: service ${round(service.micros, 0)} µs, ` +
          `bare ${round(bare.micros, 0)} µs a call, ratio ${ratio}`,
      );
      show('place', service, bare, placeOf);
      show(
        'function',
        service,
        bare,
        (frame) => `${frame.functionName || 'anonymous'} ${placeOf(frame)}:${originOf(frame).line + 1}`,
      );
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
