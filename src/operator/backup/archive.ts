import { createHmac, type Hmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { keyFingerprint } from '../../platform/crypto/secret-box.js';
import { invalidInput } from '../../platform/errors.js';
import { RowText } from './row-text.js';
import type { Snapshot, SnapshotHeader, TableRows } from './snapshot.js';

/*
 * A backup consists of a line with the format, a line of JSON (SnapshotHeader and the fingerprint of the key
 * of the seal), a gzip of the tables, and an end mark with the HMAC-SHA256 of everything before it. Each
 * table consists of a line of JSON with its name, the rows in COPY's text format, and the line `\.`.
 */
const MAGIC = 'shop-backup 1\n';
const END = '\nend of backup ';
const END_BYTES = END.length + 64 + 1;
const MAX_HEADER = 16 * 1024 * 1024;
const MEMORY = 64 * 1024;

type FileHeader = SnapshotHeader & { seal: string };

/** A backup that has been checked completely. */
interface Archive extends Snapshot {
  bytes: number;
}

/**
 * Writes a snapshot to a file. The file is written under another name, synchronised, read back and only then
 * renamed.
 * @returns the length of the file in bytes
 * @throws OperationError invalid_input if the file exists or cannot be written
 */
export async function writeArchive(
  file: string,
  snapshot: Snapshot,
  encryptionKeys: string[],
): Promise<number> {
  if (existsSync(file)) throw alreadyThere(file);
  const part = `${file}.${randomUUID()}.part`;
  const handle = await open(part, 'wx', 0o600).catch(refuseUnwritten);
  try {
    try {
      await writeParts((data) => handle.writeFile(data), snapshot, encryptionKeys[0]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { bytes } = await openArchive(part, encryptionKeys);
    await giveName(part, file);
    await synchronise(path.dirname(file));
    return bytes;
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Writes a snapshot to a stream. It cannot be read back: what has arrived whole is known by its end mark,
 * with which `openArchive` begins.
 * @returns the number of bytes
 * @throws OperationError invalid_input if it cannot be written
 */
export function streamArchive(out: Writable, snapshot: Snapshot, encryptionKeys: string[]): Promise<number> {
  // Without a listener an error would end the process; the one that waits for its write gets it too.
  out.on('error', () => undefined);
  const put = (data: Buffer) =>
    new Promise<void>((resolve, reject) => {
      out.write(data, (error) => (error ? reject(error) : resolve()));
    });
  return writeParts(put, snapshot, encryptionKeys[0]);
}

/** @returns the number of bytes */
async function writeParts(
  put: (data: Buffer) => Promise<void>,
  snapshot: Snapshot,
  key: string,
): Promise<number> {
  let failure: Error | undefined;
  let bytes = 0;
  const mac = seal(key);
  const write = async (data: Buffer) => {
    bytes += data.length;
    await put(data).catch((error: Error) => {
      throw (failure = unwritable(error));
    });
  };
  const writeSealed = async (data: Buffer) => {
    mac.update(data);
    await write(data);
  };
  const header: FileHeader = { ...snapshot.header, seal: keyFingerprint(key) };
  try {
    await writeSealed(Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`));
    await pipeline(
      Readable.from(body(snapshot), { objectMode: false }),
      createGzip(),
      async (source: AsyncIterable<Buffer>) => {
        for await (const data of source) await writeSealed(data);
      },
    );
    await write(Buffer.from(`${END}${mac.digest('hex')}\n`));
    return bytes;
  } catch (error) {
    // The error of the pipeline only says that it was aborted, so the cause is thrown if it is known.
    throw failure ?? error;
  }
}

const alreadyThere = (file: string) => invalidInput(`to names a file that exists already: ${file}`);
const unwritable = (error: Error) => invalidInput(`to could not be written: ${error.message}`);

/** Reports a file that the disk or its permissions refuse: for the `catch` of what writes it. */
export function refuseUnwritten(error: Error): never {
  throw unwritable(error);
}

/**
 * Gives the file its final name with a link, which fails if a file has that name by now. A rename would
 * replace that file.
 */
async function giveName(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(file);
    // Some file systems do not support links.
    await rename(part, file);
  }
}

async function* body(snapshot: Snapshot): AsyncGenerator<Buffer> {
  for await (const { name, rows } of snapshot.tables()) {
    yield Buffer.from(`${JSON.stringify({ table: name })}\n`);
    yield* rows;
    yield Buffer.from('\\.\n');
  }
}

/** Synchronises the folder, because a renamed file survives a crash only after that. */
async function synchronise(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Opens a backup and reads it completely, so that it is checked before it is used.
 * @throws OperationError invalid_input if it is not a backup, is damaged or truncated, or is of an
 * installation with another key
 */
export async function openArchive(file: string, encryptionKeys: string[]): Promise<Archive> {
  const { header, start, size } = await readHead(file);
  const key = encryptionKeys.find((candidate) => keyFingerprint(candidate) === header.seal);
  const fingerprints = encryptionKeys.map(keyFingerprint);
  if (!key || header.keys.some((fingerprint) => !fingerprints.includes(fingerprint))) {
    throw invalidInput(
      'from is a backup of an installation with another ENCRYPTION_KEY, and its secrets would not open: ' +
        'configure the key it was made with',
    );
  }
  const archive: Archive = { header, bytes: size, tables: () => readTables(file, start, size) };
  await checkSeal(file, size, key);
  await checkRows(archive);
  return archive;
}

/**
 * Runs `work` with a file that has what the stream brings, because a backup is read more than once. The file
 * is in the folder for temporary files (TMPDIR) and removed afterwards.
 */
export async function withFileOf<T>(source: Readable, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-restore-'));
  const file = path.join(folder, 'backup');
  try {
    await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch((error: Error) => {
      throw invalidInput(`from could not be read: ${error.message}`);
    });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readHead(file: string): Promise<{ header: FileHeader; start: number; size: number }> {
  const handle = await open(file, 'r').catch((error: Error) => {
    throw invalidInput(`from could not be read: ${error.message}`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw invalidInput(`from is not a file: ${file}`);
    const { size } = stat;
    let head = Buffer.alloc(0);
    while (head.length < Math.min(size, MAX_HEADER)) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MEMORY), 0, MEMORY, head.length);
      head = Buffer.concat([head, buffer.subarray(0, bytesRead)]);
      if (head.length >= MAGIC.length && !head.subarray(0, MAGIC.length).equals(Buffer.from(MAGIC))) break;
      const end = head.indexOf('\n', MAGIC.length);
      if (end > 0)
        return {
          header: JSON.parse(head.toString('utf8', MAGIC.length, end)) as FileHeader,
          start: end + 1,
          size,
        };
      if (bytesRead === 0) break;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    await handle.close();
  }
  throw invalidInput('from is not a backup of this service, or of a version that writes another format');
}

async function checkSeal(file: string, size: number, key: string): Promise<void> {
  const mac = seal(key);
  const end: Buffer[] = [];
  if (size > END_BYTES) {
    for await (const data of createReadStream(file, { end: size - END_BYTES - 1 }))
      mac.update(data as Buffer);
    for await (const data of createReadStream(file, { start: size - END_BYTES })) end.push(data as Buffer);
  }
  const [expected, found] = [Buffer.from(`${END}${mac.digest('hex')}\n`), Buffer.concat(end)];
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) {
    throw invalidInput('from is damaged or cut short: its end mark does not fit what is before it');
  }
}

async function checkRows({ header, tables }: Snapshot): Promise<void> {
  const expected = header.tables.map(({ name, rows }) => `${name}: ${rows}`);
  const found: string[] = [];
  for await (const { name, rows } of tables()) {
    let count = 0;
    for await (const data of rows)
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) count++;
    found.push(`${name}: ${count}`);
  }
  if (expected.join() !== found.join())
    throw invalidInput('from does not hold the rows that it says it holds');
}

async function* readTables(file: string, start: number, size: number): AsyncGenerator<TableRows> {
  const source = createReadStream(file, { start, end: size - END_BYTES - 1 });
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error)).pipe(unzipped);
  const text = new RowText(unzipped);
  for (let line = await text.line(); line !== null; line = await text.line()) {
    yield { name: (JSON.parse(line) as { table: string }).table, rows: text.rows() };
  }
}

function seal(key: string): Hmac {
  const own = createHmac('sha256', Buffer.from(key, 'base64')).update('seal of a backup').digest();
  return createHmac('sha256', own);
}
