import path from 'node:path';
import { openArchive, streamArchive, withFileOf, writeArchive } from '../../backup/archive.js';
import { copyStopped } from '../../backup/copy-stopped.js';
import { beginAfterRecovery } from '../../backup/event-epochs.js';
import { hasTables, restoreStore } from '../../backup/restore-store.js';
import { type Loaded, restoreWhole } from '../../backup/restore-whole.js';
import { type Snapshot, withSnapshot } from '../../backup/snapshot.js';
import type { Config } from '../../../platform/config/config.js';
import { databaseUrlProblem } from '../../../platform/config/database-url.js';
import { refuseUnreachable } from '../../../platform/database/installation/installation.js';
import { keyFile, openDatabase } from '../../../start/open-database.js';
import { recordAction } from '../../../platform/database/installation/operator-log.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { invalidInput } from '../../../platform/errors.js';
import { openExistingRuntime } from '../../../start/runtime.js';
import type { Commands, StandaloneCall, StandaloneCommand } from '../command.js';
import { invite } from '../in-store.js';

/** In place of a file: standard output, or standard input. */
const STREAM = '-';

export const COMMANDS = {
  backup: {
    standalone: true,
    run: backup,
  },
  restore: {
    standalone: true,
    run: (call) => restore(call),
  },
  recovered: {
    standalone: true,
    run: recovered,
  },
  move: {
    standalone: true,
    run: move,
  },
} satisfies Commands<StandaloneCommand>;

/** Takes the schema that it finds, so that an older version can be backed up before it is upgraded. */
async function backup({ options, config, log }: StandaloneCall): Promise<unknown> {
  const runtime = await openExistingRuntime(config, log, { anySchema: true });
  try {
    const file = options.to === STREAM ? null : path.resolve(options.to as string);
    return await withSnapshot(runtime, (options.store as string | undefined) ?? null, async (snapshot) => {
      const bytes = await (file === null
        ? streamArchive(process.stdout, snapshot, runtime.encryptionKeys)
        : writeArchive(file, snapshot, runtime.encryptionKeys));
      const { createdAt, store, tables } = snapshot.header;
      const stores = tables.find(({ name }) => name === 'stores')!.rows;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      await recordAction(runtime.directUrl, log, {
        command: 'backup',
        target: store === null ? undefined : `store:${store.id}`,
        details: { stores, rows, bytes },
      });
      const written = { file, bytes, createdAt, store, stores, tables: tables.length, rows };
      if (file !== null) return written;
      // Standard output is the backup.
      process.stderr.write(`${JSON.stringify(written)}\n`);
      return undefined;
    });
  } finally {
    await runtime.close();
  }
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, n) => sum + n, 0);

const restore = (call: StandaloneCall): Promise<unknown> =>
  call.options.from === STREAM
    ? withFileOf(process.stdin, (file) => restoreFile(call, file))
    : restoreFile(call, path.resolve(call.options.from as string));

async function restoreFile(call: StandaloneCall, file: string): Promise<unknown> {
  const { options, config, log } = call;
  const database = await openDatabase(config, 'maker');
  try {
    const archive = await openArchive(file, database.encryptionKeys);
    const storeId = options.store as string | undefined;
    const isEmpty = !(await hasTables(database.ownerUrl));
    if (options['as-new']) {
      if (isEmpty) throw invalidInput('as-new: the database is empty: restore the backup without --as-new');
      return await restoreAsNew(call, database, archive);
    }
    // In an empty database, the file of a single store is restored as a whole backup.
    if (storeId === undefined && (isEmpty || archive.header.store === null))
      return await loaded(
        'restore',
        log,
        await restoreWhole(database.ownerUrl, database.encryptionKeys, archive),
      );
    const { uninvited, systemUrl, counts, ...restored } = await restoreStore(
      database.ownerUrl,
      database.encryptionKeys,
      archive,
      storeId ?? archive.header.store!.id,
    );
    const rows = sumOf(counts);
    const { id, name, members } = restored;
    await recordAction(systemUrl, log, { command: 'restore', target: `store:${id}`, details: { rows } });
    return { id, name, rows, members, invitations: await invitationsTo(id, call, uninvited) };
  } finally {
    await database.close();
  }
}

async function invitationsTo(
  storeId: string,
  { config, log }: StandaloneCall,
  people: Parameters<typeof invite>[2],
): ReturnType<typeof invite> {
  if (people.length === 0) return [];
  const { onInstallation } = await import('../services.js');
  return onInstallation(config, log, (app) => invite(app, storeId, people));
}

async function recovered({ config, log }: StandaloneCall): Promise<{ epoch: number }> {
  const runtime = await openExistingRuntime(config, log);
  try {
    const begun = await beginAfterRecovery(runtime.ownerUrl);
    await recordAction(runtime.directUrl, log, { command: 'recovered', details: begun });
    return begun;
  } finally {
    await runtime.close();
  }
}

async function restoreAsNew(
  { options, log }: StandaloneCall,
  { ownerUrl, encryptionKeys }: { ownerUrl: string; encryptionKeys: string[] },
  snapshot: Snapshot,
): Promise<{ id: string; name: string; orders: number }> {
  const first = (options.store as string | undefined) ?? snapshot.header.store?.id;
  if (first === undefined) throw invalidInput('store must say which store of the backup is restored as new');
  // Each module declares the columns whose secrets are bound to their store.
  await import('../../../start/app.module.js');
  const made = await restoreStore(ownerUrl, encryptionKeys, snapshot, first, { asNew: true });
  const { id, name, counts, systemUrl } = made;
  await recordAction(systemUrl, log, {
    command: 'restore',
    target: `store:${id}`,
    details: { rows: sumOf(counts), asNewBeside: first },
  });
  return { id, name, orders: counts.orders ?? 0 };
}

/** Records that a whole installation was loaded. @returns what the command prints of it */
async function loaded(
  command: 'restore' | 'move',
  log: Logger,
  { systemUrl, ...result }: Loaded,
): Promise<Omit<Loaded, 'systemUrl'>> {
  const { stores, rows } = result;
  await recordAction(systemUrl, log, { command, details: { stores, rows } });
  return result;
}

async function move({ options, config, log }: StandaloneCall): Promise<unknown> {
  const target = options.to as string;
  const problem = databaseUrlProblem(target);
  if (problem !== null) throw invalidInput(`to: ${problem}`);
  if (config.databaseUrl)
    throw invalidInput('move reads the embedded database under DATA_DIR: run it without DATABASE_URL');
  await refuseUnreachable('to', target);
  const runtime = await openExistingRuntime(config, log);
  try {
    const moved = await copyStopped(runtime, target);
    const { stores, rows } = moved;
    await recordAction(runtime.directUrl, log, { command: 'move', details: { stores, rows } });
    return { ...(await loaded('move', log, moved)), encryptionKey: keyInstruction(config), next: NEXT };
  } finally {
    await runtime.close();
  }
}

const NEXT =
  'Start the service with DATABASE_URL and ENCRYPTION_KEY set. What is changed in the embedded database ' +
  'from now on is not moved; ' +
  'keep DATA_DIR until you have looked at the new one.';

function keyInstruction({ encryptionKeys, dataDir }: Config): string {
  return encryptionKeys
    ? 'ENCRYPTION_KEY must be what it is now'
    : `ENCRYPTION_KEY must be what stands in the file ${path.resolve(keyFile(dataDir))}`;
}
