// npm run build: builds dist, first the service and then the dashboard's pages, as far as sources have
// changed since the last build. Only one build runs at a time. `node scripts/build.mjs service` leaves the
// pages out.
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  arePagesBuilt,
  dropStamp,
  isBuilt,
  keepCommit,
  keepStamp,
  readText,
  ROOT,
  sourcesHash,
} from './built.mjs';

const LOCK = path.join(ROOT, 'dist/.building');
const POLL_MS = 100;

/**
 * Identifies a running process, even if its pid is reused, provided that the system reports when it started.
 * Empty if there is no such process.
 */
function identity(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return '';
  }
  const stat = readText(`/proc/${pid}/stat`);
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

/** Waits until no other build runs. A lock left behind by a killed build is taken over. */
async function lock() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  const own = `${LOCK}.${process.pid}`;
  writeFileSync(own, identity(process.pid));
  // A link appears together with its content, so nobody can read a lock that is not written yet.
  while (!link(own, LOCK)) {
    const holder = readText(LOCK);
    if (holder && identity(Number.parseInt(holder, 10)) !== holder) takeAway(holder);
    else await sleep(POLL_MS);
  }
  rmSync(own);
}

function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock. Two builds may see the same one, and the slower must not remove the lock that the
 * faster has created since.
 */
function takeAway(holder) {
  const aside = `${LOCK}.${process.pid}.left`;
  try {
    renameSync(LOCK, aside);
  } catch {
    return;
  }
  if (readText(aside) !== holder) link(aside, LOCK);
  rmSync(aside);
}

/** Loads the compiler, which is not part of an installation without `devDependencies`. */
async function compiler() {
  try {
    return await import('./compile.mjs');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'The service is not built and the compiler is not installed. Run npm install, then try again.\n',
    );
    process.exit(1);
  }
}

/** Writes what help says of the commands, because loading all their code takes most of a second. */
async function writeCommands() {
  const { commandsAbout } = await import(path.join(ROOT, 'dist/src/operator/cli/commands.js'));
  const declarations = Object.entries(await commandsAbout()).map(([name, { summary, options }]) => [
    name,
    { summary, options },
  ]);
  writeFileSync(path.join(ROOT, 'dist/src/commands.json'), JSON.stringify(Object.fromEntries(declarations)));
}

async function buildService() {
  const { compile } = await compiler();
  const sources = sourcesHash();
  dropStamp();
  try {
    await compile(ROOT, path.join(ROOT, 'dist'));
    await writeCommands();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  keepStamp(sources);
}

const withPages = process.argv[2] !== 'service';
if (!isBuilt() || (withPages && !arePagesBuilt())) {
  await lock();
  process.on('exit', () => rmSync(LOCK, { force: true }));
  // Another build may have done this in the meantime.
  if (!isBuilt()) await buildService();
  if (withPages && !arePagesBuilt()) await (await import('../web/build.mjs')).buildPages();
}
keepCommit();
