import { createHmac, type Hmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { keyFingerprint } from '../../platform/crypto/secret-box.js';
import { invalidInput } from '../../platform/errors.js';
import { RowText } from './row-text.js';
import type { Snapshot, SnapshotHeader, TableRows } from './snapshot.js';

/*
 * A backup is a line that names the format, a line of JSON (SnapshotHeader and the key of the seal), a gzip of the tables, and an
 * end mark: an HMAC-SHA256 of all before it. Of each table it has a line of JSON with the name, the rows as COPY writes them, and
 * the line `\.`.
 */
const MAGIC = 'shop-backup 1\n';
const END = '\nend of backup ';
const END_BYTES = END.length + 64 + 1;
const MAX_HEADER = 16 * 1024 * 1024;
const MEMORY = 64 * 1024;

type FileHeader = SnapshotHeader & { seal: string };

/** A backup whose every byte has been checked. */
export interface Archive extends Snapshot {
  bytes: number;
}

/**
 * Writes a snapshot to a file: under another name first, which is synchronised, read back and then renamed.
 * @returns its length in bytes
 * @throws OperationError invalid_input when the file exists or cannot be written
 */
export async function writeArchive(file: string, snapshot: Snapshot, encryptionKeys: string[]): Promise<number> {
  if (existsSync(file)) throw invalidInput(`to names a file that exists already: ${file}`);
  const part = `${file}.${randomUUID()}.part`;
  const handle = await open(part, 'wx', 0o600).catch((error: Error) => {
    throw invalidInput(`to could not be written: ${error.message}`);
  });
  try {
    try {
      const mac = seal(encryptionKeys[0]);
      const write = async (data: Buffer) => {
        mac.update(data);
        await handle.writeFile(data);
      };
      const header: FileHeader = { ...snapshot.header, seal: keyFingerprint(encryptionKeys[0]) };
      await write(Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`));
      await pipeline(
        Readable.from(body(snapshot), { objectMode: false }),
        createGzip(),
        async (source: AsyncIterable<Buffer>) => {
          for await (const data of source) await write(data);
        },
      );
      await handle.writeFile(`${END}${mac.digest('hex')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { bytes } = await openArchive(part, encryptionKeys);
    await rename(part, file);
    await synchronise(path.dirname(file));
    return bytes;
  } finally {
    await rm(part, { force: true });
  }
}

async function* body(snapshot: Snapshot): AsyncGenerator<Buffer> {
  for await (const { name, rows } of snapshot.tables()) {
    yield Buffer.from(`${JSON.stringify({ table: name })}\n`);
    yield* rows;
    yield Buffer.from('\\.\n');
  }
}

/** A renamed file is safe once its folder is. */
async function synchronise(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Reads a backup from end to end before anything is done with it.
 * @throws OperationError invalid_input when it is no backup, damaged, cut short, or of an installation with another key
 */
export async function openArchive(file: string, encryptionKeys: string[]): Promise<Archive> {
  const { header, start, size } = await readHead(file);
  const key = encryptionKeys.find((candidate) => keyFingerprint(candidate) === header.seal);
  const fingerprints = encryptionKeys.map(keyFingerprint);
  if (!key || header.keys.some((fingerprint) => !fingerprints.includes(fingerprint))) {
    throw invalidInput(
      'from is a backup of an installation with another ENCRYPTION_KEY, and its secrets would not open: configure the key it was made with',
    );
  }
  const archive: Archive = { header, bytes: size, tables: () => readTables(file, start, size) };
  await checkSeal(file, size, key);
  await checkRows(archive);
  return archive;
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
      if (end > 0) return { header: JSON.parse(head.toString('utf8', MAGIC.length, end)) as FileHeader, start: end + 1, size };
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
    for await (const data of createReadStream(file, { end: size - END_BYTES - 1 })) mac.update(data as Buffer);
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
    for await (const data of rows) for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) count++;
    found.push(`${name}: ${count}`);
  }
  if (expected.join() !== found.join()) throw invalidInput('from does not hold the rows that it says it holds');
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
