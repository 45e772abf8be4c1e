import pg from 'pg';

/** How many rows a store has in a table, and the sum of their hashes. */
export interface Digest {
  rows: number;
  sum: string;
}

/**
 * For the transaction in which rows are digested: the text of a value must not depend on the server, its role
 * or its database.
 */
export const AS_TEXT = `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, MDY', true),
  set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
  set_config('extra_float_digits', '1', true)`;

/**
 * Digests a store's rows of a table, in the present transaction, which has begun with AS_TEXT.
 * @param without the ids of members who do not go with the store, nor do their grants
 * @param rows where they are, if not in the table itself
 */
export async function digestOf(
  client: pg.Client,
  { name, columns }: { name: string; columns: string[] },
  storeId: string,
  without: string[],
  rows = pg.escapeIdentifier(name),
): Promise<Digest> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const { rows: found } = await client.query<Digest>(
    `select count(*)::float8 as rows,
       coalesce(sum(hashtextextended(row(${list})::text, 0)::numeric), 0)::text as sum
     from ${rows}
     where ${name === 'stores' ? 'id' : 'store_id'} = $1 and ${goesAlong(name)}`,
    [storeId, without],
  );
  return found[0];
}

/** Which rows of a store go along if members, by their ids in `$2`, do not. @param grants their table */
export const goesAlong = (table: string, grants = 'oauth_grants') =>
  ({
    store_members: 'user_id <> all($2::uuid[])',
    oauth_grants: 'user_id <> all($2::uuid[])',
    oauth_tokens: `grant_id not in (
      select id from ${grants} where store_id = $1 and user_id = any($2::uuid[]))`,
  })[table] ?? '$2::uuid[] is not null';
