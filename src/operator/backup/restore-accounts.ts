import pg from 'pg';
import type { Groups, Role } from '../../access/rights.js';
import { staged } from './clone-store.js';
import { goesAlong } from './digest.js';
import { columnList } from './load.js';
import type { SnapshotHeader } from './snapshot.js';
import { ACCOUNT_TABLES, APPS } from './tables.js';

/** The people of a store that was restored. */
export interface Restored {
  /** The accounts that came with the file. */
  members: { email: string; role: Role }[];
  /** Former members whose address now belongs to another account. They need an invitation to join. */
  uninvited: { email: string; role: Role; groups: Groups }[];
  /** The ids of their former accounts. */
  without: string[];
}

const name = pg.escapeIdentifier;

/**
 * Restores the members whose account has the same id and address. A member whose address belongs to another
 * account is left out, because an address does not prove who somebody is (docs/behaviour.md §12).
 */
export async function restoreAccounts(
  system: pg.Client,
  { tables }: SnapshotHeader,
  storeId: string,
): Promise<Restored> {
  const members = `select user_id from ${staged('store_members')} where store_id = $1`;
  const { rows: added } = await system.query<{ id: string }>(
    `select u.id from ${staged('users')} u where u.id in (${members})
       and not exists (select from users x where x.id = u.id or x.email_key = u.email_key)`,
    [storeId],
  );
  for (const table of tables.filter(({ name: candidate }) => candidate in ACCOUNT_TABLES)) {
    await system.query(
      `insert into ${name(table.name)} (${columnList(table)})
       select ${columnList(table)} from ${staged(table.name)} where ${ACCOUNT_TABLES[table.name]} = any($1)`,
      [added.map(({ id }) => id)],
    );
  }
  const { rows: people } = await system.query<{
    id: string;
    email: string;
    role: Role;
    groups: string[] | null;
    is_same: boolean;
  }>(
    `select u.id, u.email, m.role, m.groups, exists (select from users x where x.id = u.id
      and x.email_key = u.email_key) as is_same
     from ${staged('store_members')} m join ${staged('users')} u on u.id = m.user_id where m.store_id = $1
       order by u.email`,
    [storeId],
  );
  const uninvited = people.filter(({ is_same: isSame }) => !isSame);
  const without = uninvited.map(({ id }) => id);
  // Tokens before grants, by which they are found.
  for (const table of ['oauth_tokens', 'oauth_grants', 'store_members']) {
    if (!tables.some(({ name: candidate }) => candidate === table)) continue;
    const along = goesAlong(table, staged('oauth_grants'));
    await system.query(`delete from ${staged(table)} where store_id = $1 and not (${along})`, [
      storeId,
      without,
    ]);
  }
  const person = ({ email, role }: (typeof people)[number]) => ({ email, role });
  return {
    members: people.filter(({ is_same: isSame }) => isSame).map(person),
    uninvited: uninvited.map((member) => ({ ...person(member), groups: member.groups })),
    without,
  };
}

/** Adds the apps that are connected to the store, unless they are known here already. */
export async function addApps(system: pg.Client, { tables }: SnapshotHeader): Promise<void> {
  const columns = columnList(tables.find(({ name: candidate }) => candidate === APPS)!);
  await system.query(
    `insert into ${name(APPS)} (${columns}) select ${columns} from ${staged(APPS)} on conflict do nothing`,
  );
}
