import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isRunning, processIdentity, withProcessLock } from '#process-lock';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-lock-'));
  lock = join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function exited(): Promise<string> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const identity = processIdentity(child.pid!)!;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return identity;
}

describe('process lock', () => {
  it('distinguishes a running process from an ended one and from another with the same pid', async () => {
    const own = processIdentity(process.pid)!;
    expect(isRunning(own)).toBe(true);
    expect(isRunning(`${own}1`)).toBe(false);
    expect(isRunning(await exited())).toBe(false);
    expect([processIdentity(0), processIdentity(-1), processIdentity(Number.NaN), isRunning('')]).toEqual([
      null,
      null,
      null,
      false,
    ]);
  });

  it('allows one holder at a time and releases the lock after an error', async () => {
    let inside = 0;
    const seen: number[] = [];
    const work = async () => {
      seen.push(++inside);
      await turn();
      inside--;
    };
    await expect(withProcessLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await Promise.all([
      withProcessLock(lock, work),
      withProcessLock(lock, work),
      withProcessLock(lock, work),
    ]);
    expect(seen).toEqual([1, 1, 1]);
    expect(existsSync(lock)).toBe(false);
  });

  it('takes over the lock of a dead process only once, even if several callers wait', async () => {
    writeFileSync(lock, await exited());
    let inside = 0;
    const most: number[] = [];
    const work = async () => {
      most.push(++inside);
      expect(readFileSync(lock, 'utf8')).toBe(processIdentity(process.pid));
      await turn();
      inside--;
    };
    await Promise.all([withProcessLock(lock, work), withProcessLock(lock, work)]);
    expect(most).toEqual([1, 1]);
  });

  it('takes over an empty lock only if it is old', async () => {
    writeFileSync(lock, '');
    let entered = false;
    const waiting = withProcessLock(lock, async () => {
      entered = true;
    });
    // It has looked at once, and left the lock alone.
    expect([entered, existsSync(lock)]).toEqual([false, true]);
    utimesSync(lock, new Date(0), new Date(0));
    await waiting;
    expect(entered).toBe(true);
  });
});
