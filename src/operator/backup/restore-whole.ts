import { MIGRATIONS } from '../../../migrations/all.js';
import { databaseOf } from '../../platform/config/database-url.js';
import { keyFingerprint } from '../../platform/crypto/secret-box.js';
import { appliedMigrations, hasTable } from '../../platform/database/installation/installation.js';
import { prepareDatabase, takeMigrationLock } from '../../platform/database/installation/migrate.js';
import { schemaState, unknownOf } from '../../platform/database/installation/schema-state.js';
import { invalidInput } from '../../platform/errors.js';
import { advanceSequences, fillTables } from './load.js';
import { writeAllSearchDocuments, writeEverySearchDocument } from './search-documents.js';
import { plainClient, type Snapshot, type SnapshotHeader } from './snapshot.js';

export interface Loaded {
  stores: number;
  tables: number;
  rows: number;
  /** The migrations that were applied after those of the snapshot. */
  migrationsApplied: string[];
  /** Connects as the role that sees the rows of every store. */
  systemUrl: string;
}

/**
 * Restores a whole snapshot, with roles, schema, rows and sequences, into a database without rows of the
 * service. The rows are loaded in one transaction, so that after a failure there is at most an empty schema,
 * and the restore can be repeated.
 * @param ownerUrl connects as a role that may create roles and tables
 * @throws OperationError invalid_input if the database has rows, or if the snapshot's schema is one that
 * this version does not know
 */
export async function restoreWhole(
  ownerUrl: string,
  encryptionKeys: string[],
  snapshot: Snapshot,
  migrations = MIGRATIONS,
): Promise<Loaded> {
  const { header } = snapshot;
  refuseUnknownSchema(header, migrations);
  await refuseOtherSchema(ownerUrl, header);
  // The tables are created as in the version of the snapshot. Newer steps are applied after the rows have
  // been loaded.
  const steps = migrations.steps.filter(({ name }) => header.migrations.includes(name));
  await prepareDatabase(ownerUrl, encryptionKeys, { ...migrations, steps });
  const owner = plainClient(ownerUrl);
  try {
    await owner.connect();
    // The lock prevents instances from starting between the check of the tables and the commit.
    await takeMigrationLock(owner);
    await owner.query('begin');
    await refuseRows(ownerUrl, owner, header);
    // Nobody finds less than there is: documents come with the rows, unless steps must come before them.
    const isNewest = steps.length === migrations.steps.length;
    await fillTables(owner, header, snapshot.tables(), async () => {
      if (isNewest) await writeEverySearchDocument(owner);
    });
    await owner.query(
      'insert into encryption_keys (fingerprint, in_use_since) select unnest($1::text[]), now() on ' +
        'conflict do nothing',
      [header.keys],
    );
    await owner.query('delete from encryption_keys where fingerprint <> all($1)', [
      [...header.keys, keyFingerprint(encryptionKeys[0])],
    ]);
    await advanceSequences(owner, header);
    // The transaction numbers of the rows are of another server, so a new epoch makes events written here
    // newer than them.
    if (await hasTable(owner, 'order_events')) await owner.query('select begin_order_event_epoch()');
    await owner.query('commit');
  } finally {
    await owner.end().catch(() => undefined);
  }
  const { applied, system } = await prepareDatabase(ownerUrl, encryptionKeys, migrations);
  if (applied.length > 0) await writeAllSearchDocuments(system);
  const rows = header.tables.reduce((sum, table) => sum + table.rows, 0);
  const stores = header.tables.find(({ name }) => name === 'stores')!.rows;
  return { stores, tables: header.tables.length, rows, migrationsApplied: applied, systemUrl: system };
}

/** @throws OperationError invalid_input if this version has no tables for what is in the snapshot */
export function refuseUnknownSchema(header: SnapshotHeader, migrations = MIGRATIONS): void {
  const state = schemaState(header.migrations, migrations);
  const unknown = unknownOf(header.migrations, migrations).join(', ');
  if (state === 'newer')
    throw invalidInput(
      `from was made by a newer version of the service (it has ${unknown}): restore it with that version, ` +
        `or a newer one`,
    );
  if (state === 'other')
    throw invalidInput(
      `from was made by another version of the service (its schema is ${unknown}): restore it with that ` +
        `version`,
    );
}

async function refuseOtherSchema(ownerUrl: string, header: SnapshotHeader): Promise<void> {
  const owner = plainClient(ownerUrl);
  try {
    await owner.connect();
    if (!(await hasTable(owner, 'stores'))) return;
    const applied = new Set(await appliedMigrations(owner));
    const isSame =
      applied.size === header.migrations.length && header.migrations.every((name) => applied.has(name));
    if (!isSame) {
      throw invalidInput(
        'the database has tables of another version than the backup: drop it and create it again, empty',
      );
    }
  } finally {
    await owner.end().catch(() => undefined);
  }
}

/**
 * Refuses tables with rows, in the transaction that fills the tables. The owner of the tables can see rows
 * only while row-level security is not forced.
 */
async function refuseRows(
  ownerUrl: string,
  owner: ReturnType<typeof plainClient>,
  header: SnapshotHeader,
): Promise<void> {
  for (const { name } of header.tables) {
    // That the tables were made is in it.
    if (name === 'operator_log') continue;
    const table = `"${name}"`;
    await owner.query(`alter table ${table} no force row level security`);
    const { rowCount } = await owner.query(`select 1 from ${table} limit 1`);
    await owner.query(`alter table ${table} force row level security`);
    if (!rowCount) continue;
    throw invalidInput(
      `the database ${databaseOf(ownerUrl)} is not empty (${name} holds rows): restore into an empty one, ` +
        `or one store with --store`,
    );
  }
}
