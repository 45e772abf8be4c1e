import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { invalidInput } from '../../platform/errors.js';
import { refuseUnwritten } from './archive.js';
import { plainClient, tablesOfStores } from './snapshot.js';

const BATCH = 1_000;
/** Tables that the service needs to run, but that have no information about the store. */
const LEFT_OUT = [
  'idempotency_keys',
  'kept_changes',
  'notice_cursors',
  'oauth_grants',
  'oauth_tokens',
  'order_keys',
  'previewed_changes',
  'webhook_due_stores',
];
/** The names of columns with secrets, or with hashes by which secrets are recognized. */
const SECRET = /^sealed_|_hash$|^lease_token$/;

export interface ExportedStore {
  folder: string;
  createdAt: string;
  store: { id: string; name: string };
  tables: { file: string; rows: number }[];
}

/**
 * Exports the present data of a store: a file of JSON lines for each table, and `export.json`, which lists
 * the files. The folder gets its name only when it is complete.
 */
export async function exportStore(
  systemUrl: string,
  store: { id: string; name: string },
  folder: string,
): Promise<ExportedStore> {
  if (existsSync(folder)) throw invalidInput(`to: ${folder} is there already, and is not written over`);
  const partial = `${folder}.${randomUUID()}.partial`;
  const client = plainClient(systemUrl);
  try {
    await client.connect();
    await mkdir(partial, { mode: 0o700 }).catch(refuseUnwritten);
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const exported: ExportedStore = { folder, createdAt: new Date().toISOString(), store, tables: [] };
    for (const table of [
      'stores',
      ...(await tablesOfStores(client)).filter((name) => !LEFT_OUT.includes(name)),
    ]) {
      const file = `${table}.jsonl`;
      exported.tables.push({
        file,
        rows: await writeTable(client, table, store.id, path.join(partial, file)),
      });
    }
    await writeFile(
      path.join(partial, 'export.json'),
      `${JSON.stringify({ format: 1, ...exported, folder: undefined }, null, 2)}\n`,
    ).catch(refuseUnwritten);
    await rename(partial, folder).catch(refuseUnwritten);
    return exported;
  } finally {
    await client.end().catch(() => undefined);
    await rm(partial, { recursive: true, force: true });
  }
}

/** Writes a table with one batch of rows in memory at a time. @returns the number of rows */
async function writeTable(client: pg.Client, table: string, storeId: string, file: string): Promise<number> {
  const out = await open(file, 'wx', 0o600).catch(refuseUnwritten);
  try {
    const ofStore = table === 'stores' ? 'id' : 'store_id';
    await client.query(
      `declare rows no scroll cursor for ${await rowsOf(client, table)} where t.${ofStore} = $1`,
      [storeId],
    );
    let count = 0;
    for (let fetched = BATCH; fetched === BATCH; count += fetched) {
      const { rows } = await client.query<{ row: string }>(`fetch ${BATCH} from rows`);
      fetched = rows.length;
      await out.writeFile(rows.map(({ row }) => `${row}\n`).join('')).catch(refuseUnwritten);
    }
    await client.query('close rows');
    return count;
  } finally {
    await out.close();
  }
}

/**
 * The query for the rows of a table as JSON. Members include the e-mail address of their account. Bytea
 * columns are written as the texts they are, and pictures in base64.
 */
async function rowsOf(client: pg.Client, table: string): Promise<string> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = to_regclass(quote_ident($1)) and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const members = columns
    .filter(({ name }) => !SECRET.test(name))
    .map(({ name, type }) => {
      const column = `t.${pg.escapeIdentifier(name)}`;
      const text =
        name === 'bytes'
          ? `translate(encode(${column}, 'base64'), E'\\n', '')`
          : `convert_from(${column}, 'UTF8')`;
      return `${pg.escapeLiteral(name)}, ${type === 'bytea' ? text : column}`;
    });
  if (table === 'store_members')
    members.push(`'email', (select u.email from users u where u.id = t.user_id)`);
  return `select json_build_object(${members.join(', ')})::text as row from ${pg.escapeIdentifier(table)} t`;
}
