import pg from 'pg';
import { keyFingerprint, keyId, SecretBox } from '../../crypto/secret-box.js';
import { type SealedColumn, sealedColumns } from '../../crypto/sealed-columns.js';
import { Client } from '../connections/connection.js';
import { noteKeysInUse } from './installation.js';
import { refuseServiceRole, rolePurpose } from './roles.js';
import { systemStatement } from '../statement.js';
import type { SystemDatabase } from '../system.js';

const BATCH = 200;

export interface Rotation {
  /** How many values were sealed again, by table and column. */
  resealed: Record<string, number>;
  /** How many keys are no longer in use. */
  retiredKeys: number;
}

/**
 * Seals every secret with the first configured key, a few rows at a time, and then records that no other key
 * is in use. The service may run at the same time. An interrupted rotation leaves values of several keys, all
 * of which can be opened; the next one continues.
 * @param ownerUrl connects as the role that owns the tables
 * @throws Error naming the row whose secret cannot be opened with any configured key
 */
export async function rotateKeys(
  system: SystemDatabase,
  ownerUrl: string,
  encryptionKeys: string[],
): Promise<Rotation> {
  refuseServiceRole(ownerUrl);
  const secrets = new SecretBox(encryptionKeys);
  const oldIds = encryptionKeys.map(keyId).filter((id) => id !== secrets.sealingKeyId);
  const resealed: Record<string, number> = {};
  const owner = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await owner.connect();
  try {
    // Before the first secret is sealed with it: no process may start without it from here on.
    await noteKeysInUse(owner, [], encryptionKeys);
    if (oldIds.length > 0) {
      for (const column of sealedColumns()) {
        const count = await rotateColumn(system, secrets, column, oldIds);
        if (count > 0) resealed[`${column.table}.${column.column}`] = count;
      }
    }
    const passwords = await rotateRolePasswords(owner, secrets);
    if (passwords > 0) resealed['role_passwords.sealed_password'] = passwords;
    const { rowCount } = await owner.query('delete from encryption_keys where fingerprint <> $1', [
      keyFingerprint(encryptionKeys[0]),
    ]);
    return { resealed, retiredKeys: rowCount! };
  } finally {
    await owner.end();
  }
}

const DESCRIBE_COLUMN = systemStatement(
  'describe_sealed_column',
  `select format_type(a.atttypid, a.atttypmod) as "type!", (
      select array_agg(k.attname::text) from pg_index i
      join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any(i.indkey)
      where i.indrelid = a.attrelid and i.indisprimary) as "keys!"
    from pg_attribute a where a.attrelid = to_regclass($table) and a.attname = $column::text`,
);

/** @returns how many rows were changed */
async function rotateColumn(
  system: SystemDatabase,
  secrets: SecretBox,
  { table, column, purpose }: SealedColumn,
  oldIds: string[],
): Promise<number> {
  const [{ type, keys }] = await system.query(DESCRIBE_COLUMN, { table, column });
  const [name, value] = [pg.escapeIdentifier(table), pg.escapeIdentifier(column)];
  const key = keys.map((part) => pg.escapeIdentifier(part));
  const find = `select ${key.map((part) => `${part}::text`).join(', ')}, ${value}::text as sealed_value
    from ${name} where ${value}::text ~ $1 limit ${BATCH}`;
  // A row that somebody else has changed in the meantime keeps the new value.
  const update = `update ${name} set ${value} = $1::text::${type}
    where ${value}::text = $2 and ${key.map((part, i) => `${part}::text = $${i + 3}`).join(' and ')}`;
  const pattern = `(^|[^0-9a-zA-Z])(${oldIds.join('|')})\\.[A-Za-z0-9+/]{38}`;
  let changed = 0;
  for (;;) {
    const { rows } = await system.pool.query<Record<string, string>>(find, [pattern]);
    if (rows.length === 0) return changed;
    for (const { sealed_value: sealed, ...row } of rows) {
      await system.pool.query(update, [
        reseal(secrets, sealed, table, row, purpose(row)),
        sealed,
        ...keys.map((part) => row[part]),
      ]);
      changed++;
    }
  }
}

function reseal(
  secrets: SecretBox,
  sealed: string,
  table: string,
  row: Record<string, string>,
  purpose: string,
): string {
  try {
    return secrets.reseal(sealed, purpose);
  } catch (error) {
    const where = Object.entries(row).map(([column, value]) => `${column} ${value}`);
    throw new Error(`a secret in ${table} (${where.join(', ')}) does not open: ${(error as Error).message}`);
  }
}

async function rotateRolePasswords(owner: pg.Client, secrets: SecretBox): Promise<number> {
  const { rows } = await owner.query<{ role: string; sealed: string }>(
    'select role, sealed_password as sealed from role_passwords',
  );
  let changed = 0;
  for (const { role, sealed } of rows) {
    const fresh = secrets.reseal(sealed, rolePurpose(role));
    if (fresh === sealed) continue;
    await owner.query(
      'update role_passwords set sealed_password = $1 where role = $2 and sealed_password = $3',
      [fresh, role, sealed],
    );
    changed++;
  }
  return changed;
}
