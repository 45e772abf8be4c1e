import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A file that is empty for longer than this was left by a process killed between creating and writing it. */
const EMPTY_LOCK_AGE_MS = 5_000;
const LOCK_WAIT_MS = 90_000;
const POLL_MS = 50;

/**
 * Names a process in a way that survives the reuse of its pid: `<pid>:<start time>` on Linux (proc_pid_stat(5),
 * fields 3 and 22), `<pid>:` elsewhere. Null when there is no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  if (process.platform !== 'linux') return `${pid}:`;
  const stat = readText(`/proc/${pid}/stat`);
  if (!stat) return null;
  // The command name, in brackets, may itself hold spaces and brackets: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : `${pid}:${fields[19]}`;
}

/** True while the very process that `processIdentity` named still runs. */
export function isRunning(identity: string): boolean {
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

/** Text of a file without surrounding blanks; empty when it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Runs `work` while this process alone holds `path`, a file with the holder's identity. Waits for a living holder
 * (90 s, then throws naming the file) and takes over the lock of a dead one. Also excludes calls inside one process.
 */
export async function withProcessLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const own = processIdentity(process.pid)!;
  const deadline = Date.now() + LOCK_WAIT_MS;
  while (!create(path, own)) {
    const holder = readText(path);
    if (isStale(path, holder)) takeAway(path, holder);
    else if (Date.now() > deadline) throw new Error(`${path} has been held by process ${holder} for ${LOCK_WAIT_MS / 1000} s`);
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path: string, holder: string): boolean {
  if (holder) return !isRunning(holder);
  const created = statSync(path, { throwIfNoEntry: false });
  return created !== undefined && Date.now() - created.mtimeMs > EMPTY_LOCK_AGE_MS;
}

/** Two processes may see the same stale lock: the slower one must not remove the lock the faster one has since made. */
function takeAway(path: string, staleHolder: string): void {
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
