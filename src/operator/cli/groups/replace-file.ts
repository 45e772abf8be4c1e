import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Replaces a file as a whole: whoever reads it, also after a power cut, gets the old or the new text. */
export function replaceFile(file: string, text: string, mode: number): void {
  const part = `${file}.${process.pid}.part`;
  try {
    const handle = openSync(part, 'w', mode);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
