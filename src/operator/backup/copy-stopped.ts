import { takeMigrationLock } from '../../platform/database/installation/migrate.js';
import { invalidInput } from '../../platform/errors.js';
import type { Runtime } from '../../start/runtime.js';
import { type Loaded, restoreWhole } from './restore-whole.js';
import { plainClient, withSnapshot } from './snapshot.js';

/**
 * Copies everything of the embedded database into an empty one.
 * @param target connects as a role that may create roles and tables
 * @throws OperationError invalid_input while the service runs on the embedded database
 */
export async function copyStopped(runtime: Runtime, target: string): Promise<Loaded> {
  const owner = plainClient(runtime.ownerUrl);
  try {
    await owner.connect();
    // A starting instance waits for this lock, so no instance starts while the rows are copied.
    await takeMigrationLock(owner);
    const { rowCount } = await owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`,
    );
    if (rowCount)
      throw invalidInput(
        'the service runs on the embedded database, and what it changes now would be left behind: stop it ' +
          'first',
      );
    return await withSnapshot(runtime, null, (snapshot) =>
      restoreWhole(target, runtime.encryptionKeys, snapshot),
    );
  } finally {
    await owner.end().catch(() => undefined);
  }
}
