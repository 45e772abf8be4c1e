import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

const FIXTURES = path.resolve(__dirname, '../fixtures');

/** The contents of the database of version 1.0: a shop with a row in every table, and its credentials. */
export const OLD_SHOP = JSON.parse(readFileSync(path.join(FIXTURES, 'version-1.0.json'), 'utf8')) as {
  key: string;
  storeId: string;
  tokens: Record<'read' | 'write' | 'admin', string>;
  orderId: number;
  email: string;
  password: string;
  productId: string;
  botToken: string;
};

/**
 * Restores a superuser's pg_dump of version 1.0 as psql does, continuing after statements that fail.
 * @param roles the names of its two roles on this server; by default roles that do not exist
 * @returns the messages of the statements that failed
 */
export async function restoreOldVersion(
  ownerUrl: string,
  roles = { store: 'gone_store', system: 'gone_system' },
): Promise<string[]> {
  const dump = readFileSync(path.join(FIXTURES, 'version-1.0.sql'), 'utf8')
    .replace(/\bshop_store\b/g, roles.store)
    .replace(/\bshop_system\b/g, roles.system);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const failures: string[] = [];
  try {
    for (const part of dump.split(/^--\n-- .*\n--\n/m)) {
      if (part.trim() === '') continue;
      await client.query(part).catch((error: Error) => failures.push(error.message));
    }
  } finally {
    await client.end();
  }
  return failures;
}
