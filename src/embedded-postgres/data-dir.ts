import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../platform/config/config.js';

/**
 * Creates the folder of the embedded database, with mode 700, and checks that files can be written in it.
 * @throws ConfigurationError with one sentence that names the folder
 */
export function openDataDir(dataDir: string): void {
  try {
    makeFolder(path.resolve(dataDir));
    // Under a name of its own, because the service and commands start at the same time.
    const trial = path.join(dataDir, 'trial');
    withContent(trial, 'A disk that is full refuses content, not names.', () => undefined);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'its disk is full' : message;
    throw new ConfigurationError(
      `DATA_DIR: ${path.resolve(dataDir)} cannot hold the database: ${reason}. Make it writable or choose ` +
        `another folder with DATA_DIR.`,
    );
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option tries forever if the system reports that the
 * parent of a folder is missing although it exists, as in /proc.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another start may have been faster. If it is a file instead of a folder, the write that follows fails.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes a file of mode 600 completely or not at all, even if the disk is full or the process is killed. */
export function writeAtomically(file: string, content: string): void {
  withContent(file, content, (fresh) => renameSync(fresh, file));
}

/** Works like `writeAtomically`, but does not replace a file that exists. */
export function writeOnce(file: string, content: string): void {
  withContent(file, content, (fresh) => {
    try {
      linkSync(fresh, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
}

function withContent(file: string, content: string, put: (fresh: string) => void): void {
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, content, { flag: 'wx', mode: 0o600, flush: true });
    put(fresh);
  } finally {
    rmSync(fresh, { force: true });
  }
}
