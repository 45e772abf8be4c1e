import type pg from 'pg';
import type { Groups, Role } from '../../../access/rights.js';
import { isSameEmail } from '../../../people/accounts/email-address.js';
import { databaseOf, hostOf } from '../../../platform/config/database-url.js';
import { keysInUse } from '../../../platform/database/installation/installation.js';
import { invalidInput, noSuchStore } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { rolesAt } from '../restore-store.js';
import { plainClient } from '../snapshot.js';

/** The installation that the store leaves, whose roles are known. */
export interface Source {
  ownerUrl: string;
  /** Connects as the role that sees the rows of every store. */
  directUrl: string;
  encryptionKeys: string[];
  log: Logger;
}

/** Host and database of an address, without its login. */
export const placeOf = (url: string) => `${hostOf(url)}/${databaseOf(url)}`;

/** @returns the address of the system role there; an empty database gets its tables */
export async function there(source: Source, targetUrl: string): Promise<string> {
  const { system } = await rolesAt(targetUrl, source.encryptionKeys).catch((error: Error) => {
    throw invalidInput(`to: ${error.message}`);
  });
  const [here, away] = [plainClient(source.ownerUrl), plainClient(targetUrl)];
  try {
    await Promise.all([here.connect(), away.connect()]);
    const inUse = await keysInUse(away);
    if ((await keysInUse(here)).some((key) => !inUse.includes(key)))
      throw invalidInput('to: the installation there does not have the ENCRYPTION_KEY of this one');
    const [{ rows: ours }, { rows: theirs }] = [await here.query(WHICH), await away.query(WHICH)];
    if (JSON.stringify(ours) === JSON.stringify(theirs))
      throw invalidInput('to: it is the database of this installation');
  } finally {
    await Promise.all([here.end(), away.end()].map((end) => end.catch(() => undefined)));
  }
  return system;
}

const WHICH = 'select system_identifier::text, current_database() from pg_control_system()';

export async function withClients<Result>(
  { directUrl }: Source,
  systemUrl: string,
  work: (from: pg.Client, to: pg.Client, systemUrl: string) => Promise<Result>,
): Promise<Result> {
  const [from, to] = [plainClient(directUrl), plainClient(systemUrl)];
  try {
    for (const client of [from, to]) {
      await client.connect();
      await client.query('set statement_timeout = 0');
    }
    return await work(from, to, systemUrl);
  } finally {
    await from.end().catch(() => undefined);
    await to.end().catch(() => undefined);
  }
}

/** What may be in an installation once only, whichever store it belongs to. */
const UNIQUE = [
  { table: 'bots', column: 'bot_id', what: 'its bot' },
  { table: 'api_tokens', column: 'token_hash', what: 'one of its tokens' },
  { table: 'oauth_grants', column: 'id', what: 'one of its connected apps' },
  { table: 'oauth_tokens', column: 'token_hash', what: 'a token of one of its apps' },
  { table: 'invitations', column: 'token_hash', what: 'one of its invitations' },
];

export async function refuseConflicts(from: pg.Client, to: pg.Client, storeId: string): Promise<void> {
  if (!isUuid(storeId)) throw noSuchStore();
  for (const { table, column, what } of UNIQUE) {
    const { rows } = await from.query<{ value: string }>(
      `select ${column}::text as value from ${table} where store_id = $1`,
      [storeId],
    );
    const { rowCount } = await to.query(`select from ${table} where ${column}::text = any($1) limit 1`, [
      rows.map(({ value }) => value),
    ]);
    if (rowCount) throw invalidInput(`${what} is in the installation there already, with another store`);
  }
}

/** A member who has another account there than here. */
export interface Uninvited {
  email: string;
  role: Role;
  groups: Groups;
}

/** Those who are members here and not there. */
export async function notAmongMembers(from: pg.Client, to: pg.Client, storeId: string): Promise<Uninvited[]> {
  const members = (client: pg.Client) =>
    client.query<{ email: string; role: Role; groups: string[] | null }>(
      `select u.email, m.role, m.groups from store_members m join users u on u.id = m.user_id
       where m.store_id = $1 order by u.email`,
      [storeId],
    );
  const [{ rows: here }, { rows: away }] = [await members(from), await members(to)];
  return here.filter(({ email }) => !away.some((member) => isSameEmail(member.email, email)));
}
