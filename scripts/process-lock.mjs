// Locks that outlive no process: for the embedded database of the service, and for builds. It is JavaScript,
// because a build needs it before anything is compiled.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** If a lock file is empty for longer than this, its process was killed between creating and writing it. */
const EMPTY_LOCK_AGE_MS = 5_000;
const POLL_MS = 50;

/**
 * Identifies a process even if its pid is reused: `<pid>:<start time>` on Linux (proc_pid_stat(5), fields 3
 * and 22), only `<pid>:` elsewhere. Null if there is no such process, or only its zombie.
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if (error.code !== 'EPERM') return null;
  }
  if (process.platform !== 'linux') return `${pid}:`;
  const stat = readText(`/proc/${pid}/stat`);
  if (!stat) return null;
  // The command name, in brackets, may contain spaces and brackets, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : `${pid}:${fields[19]}`;
}

/** Whether the process with this `processIdentity` is still running. */
export function isRunning(identity) {
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

/** The text of a file without surrounding whitespace; empty if the file cannot be read. */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Runs `work` with an exclusive lock: the file `path` with the identity of its holder. Takes over the lock of
 * a dead process. Calls inside one process also exclude each other.
 * @throws Error with the name of the file if a living process holds the lock for longer than `waitMs`
 */
export async function withProcessLock(path, work, waitMs = 90_000) {
  const own = processIdentity(process.pid);
  const deadline = Date.now() + waitMs;
  while (!create(path, own)) {
    const holder = readText(path);
    if (isStale(path, holder)) removeStale(path, holder);
    else if (Date.now() > deadline)
      throw new Error(`${path} has been held by process ${holder} for ${waitMs / 1000} s`);
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function create(path, content) {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error;
    if (code === 'EEXIST') return false;
    // A full disk refuses the content when the name is already there.
    if (code === 'ENOSPC' || code === 'EDQUOT') rmSync(path, { force: true });
    throw error;
  }
}

function isStale(path, holder) {
  if (holder) return !isRunning(holder);
  const created = statSync(path, { throwIfNoEntry: false });
  return created !== undefined && Date.now() - created.mtimeMs > EMPTY_LOCK_AGE_MS;
}

/**
 * Removes a stale lock. If two processes see the same stale lock, the slower one must not remove the lock
 * that the faster one has created in the meantime.
 */
function removeStale(path, staleHolder) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // the other process was faster
  }
  const holder = readText(aside);
  if (holder !== staleHolder) create(path, holder);
  rmSync(aside, { force: true });
}
