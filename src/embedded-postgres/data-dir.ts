import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '../platform/config/config.js';

/**
 * Makes the folder of the embedded database, with mode 700, and tries whether files can be written there.
 * @throws ConfigurationError with one sentence that names the folder
 */
export function openDataDir(dataDir: string): void {
  try {
    makeFolder(path.resolve(dataDir));
    const trial = path.join(dataDir, 'trial');
    writeWhole(trial, 'A disk that is full refuses content, not names.');
    rmSync(trial);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'its disk is full' : message;
    throw new ConfigurationError(
      `DATA_DIR: ${path.resolve(dataDir)} cannot hold the database: ${reason}. Make it writable or choose another folder with DATA_DIR.`,
    );
  }
}

/** Node's own `recursive` tries for ever where the system says that a folder's parent is missing and it is not, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another start may have been faster; a file of that name is refused by what is done in it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes a file of mode 600 whole or not at all, also when the disk is full or the process is killed. */
export function writeWhole(file: string, content: string): void {
  withContent(file, content, (fresh) => renameSync(fresh, file));
}

/** As `writeWhole`, but leaves a file alone that is there already. */
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
