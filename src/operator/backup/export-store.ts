import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { isLost } from '../../platform/database/connections/connection.js';
import { invalidInput } from '../../platform/errors.js';
import { refuseUnwritten } from './archive.js';
import { plainClient, tablesOfStores } from './snapshot.js';
import { goes } from './tables.js';

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
      ...(await tablesOfStores(client)).filter((name) => goes(name, 'export')),
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

/** Writes a table. @returns the number of rows */
async function writeTable(client: pg.Client, table: string, storeId: string, file: string): Promise<number> {
  const query = `${await rowsOf(client, table)}
    where t.${table === 'stores' ? 'id' : 'store_id'} = ${pg.escapeLiteral(storeId)}`;
  // JSON has neither of these characters unescaped, so that each line is a row as it is.
  const lines = client.query(
    copyTo(`copy (${query}) to stdout (format csv, delimiter e'\\x01', quote e'\\x02')`),
  );
  await pipeline(lines as Readable, createWriteStream(file, { flags: 'wx', mode: 0o600 })).catch(
    (error: Error) => {
      if (error instanceof pg.DatabaseError || isLost(error)) throw error;
      refuseUnwritten(error);
    },
  );
  return lines.rowCount;
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
