import pg from 'pg';
import { derivePassword } from '../crypto/secret-box.js';

/** The two roles the service connects as. Neither owns a table nor may bypass row-level security. */
export interface RoleUrls {
  /** Sees the rows of the one store its session names. */
  store: string;
  /** Sees every store, by policies of its own; for SystemDatabase only. */
  system: string;
}

/**
 * Makes the roles `<database>_store` and `<database>_system` if they are missing and gives them the passwords derived from the
 * encryption key, so that instances agree without another secret to hand out.
 * @param owner client of the role that owns the tables and may create roles
 */
export async function ensureRoles(owner: pg.Client, ownerUrl: string, encryptionKeys: string[]): Promise<RoleUrls> {
  const database = (await owner.query<{ name: string }>('select current_database() as name')).rows[0].name;
  const urls = {} as RoleUrls;
  for (const kind of ['store', 'system'] as const) {
    const role = `${database.slice(0, 56)}_${kind}`;
    const password = derivePassword(encryptionKeys, `role:${role}`);
    const exists = (await owner.query('select 1 from pg_roles where rolname = $1', [role])).rowCount;
    // Only a superuser may name the other attributes of a role that exists, even to say what they are already.
    const login = `login password ${pg.escapeLiteral(password)}`;
    await owner.query(
      exists
        ? `alter role ${pg.escapeIdentifier(role)} ${login}`
        : `create role ${pg.escapeIdentifier(role)} ${login} nosuperuser nobypassrls nocreatedb nocreaterole`,
    );
    await owner.query(`grant connect on database ${pg.escapeIdentifier(database)} to ${pg.escapeIdentifier(role)}`);
    const url = new URL(ownerUrl);
    url.username = encodeURIComponent(role);
    url.password = encodeURIComponent(password);
    urls[kind] = url.href;
  }
  return urls;
}
