import pg from 'pg';
import type { RoleUrls } from './roles.js';

/** A row-level security policy that should give one role access to a table's rows. */
interface Policy {
  name: string;
  role: string;
  command: 'all' | 'select';
  using: string;
  check: string | null;
}

/** The access that a table should give: its row-level security, policies and privileges. */
interface TableAccess {
  rowSecurity: 'forced' | 'enabled' | 'off';
  policies: Policy[];
  /** Privileges by role. */
  grants: Record<string, string[]>;
}

interface FoundPolicy {
  name: string;
  roles: string[];
  command: string;
  permissive: boolean;
  using: string | null;
  check: string | null;
}

interface FoundTable {
  name: string;
  hasStore: boolean;
  enabled: boolean;
  forced: boolean;
  policies: FoundPolicy[];
  grants: Record<string, string[]>;
}

interface FoundFunction {
  signature: string;
  isPublic: boolean;
  grantees: string[];
}

/** The tables that search_ids reads. */
const SEARCHED = ['search_documents'];
const EVERYTHING = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'];
/** The security definer functions that the system role calls. The store's role calls all others. */
const OF_SYSTEM = /^(public\.)?(renew_order_event_epoch|tend_order_events)\(/;
const COMMANDS: Record<string, string> = { '*': 'all', r: 'select', a: 'insert', w: 'update', d: 'delete' };

/**
 * The access that a table should give. Only `protect_table` and `protect_people_table` of
 * migrations/schema.sql state the same. A table with a store_id belongs to a store, and so does a partition
 * of one. Any other table is about people or the installation.
 */
function expected({ name, hasStore }: FoundTable, { store, system }: RoleUrls, owner: string): TableAccess {
  if (name === 'migrations') return { rowSecurity: 'off', policies: [], grants: { [system]: ['SELECT'] } };
  if (name === 'role_passwords') return { rowSecurity: 'enabled', policies: [], grants: {} };
  const all = (policy: string): Policy => ({
    name: policy,
    role: system,
    command: 'all',
    using: 'true',
    check: 'true',
  });
  if (name === 'encryption_keys') {
    const policies = [{ ...all('keys_in_use'), command: 'select' as const, check: null }];
    return { rowSecurity: 'enabled', policies, grants: { [system]: ['SELECT'] } };
  }
  if (name !== 'stores' && !hasStore) {
    return { rowSecurity: 'forced', policies: [all('every_row')], grants: { [system]: EVERYTHING } };
  }
  const column = name === 'stores' ? 'id' : 'store_id';
  const using = `${column} = nullif(current_setting('shop.store_id', true), '')::uuid`;
  const policies: Policy[] = [
    { name: 'own_store', role: store, command: 'all', using, check: null },
    all('every_store'),
  ];
  // The search functions run as the tables' owner.
  if (SEARCHED.includes(name))
    policies.push({ name: 'search_by_owner', role: owner, command: 'select', using: 'true', check: null });
  return { rowSecurity: 'forced', policies, grants: { [store]: EVERYTHING, [system]: EVERYTHING } };
}

/**
 * Compares grants and policies with what they should be, and repairs differences. A dump that was restored
 * under another name or on another server has them for the roles of the old database, or not at all. One
 * query is enough if nothing differs.
 * @param owner client of the role that owns the tables
 * @returns the statements that were needed
 */
export async function repairAccess(owner: pg.Client, roles: RoleUrls): Promise<string[]> {
  const statements = await accessDifferences(owner, roles);
  if (statements.length === 0) return [];
  await owner.query('begin');
  try {
    for (const statement of statements) await owner.query(statement);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
  return statements;
}

/** The statements that would repair grants and policies; none if nothing differs. */
export async function accessDifferences(client: pg.ClientBase, roles: RoleUrls): Promise<string[]> {
  const { rows } = await client.query<{
    owner: string;
    tables: FoundTable[] | null;
    functions: FoundFunction[] | null;
    usage: boolean;
  }>(FIND, [roles.store, roles.system]);
  const [{ owner, tables, functions, usage }] = rows;
  const strangers = new Set<string>();
  const statements = (tables ?? []).flatMap((table) =>
    tableDifferences(table, expected(table, roles, owner), strangers),
  );
  for (const role of [roles.store, roles.system, owner]) strangers.delete(role);
  const both = `${pg.escapeIdentifier(roles.store)}, ${pg.escapeIdentifier(roles.system)}`;
  return [
    ...(usage ? [] : [`grant usage on schema public to ${both}`]),
    ...statements,
    ...(functions ?? []).flatMap((found) => functionDifferences(found, roles)),
    ...[...strangers].flatMap((role) =>
      ['tables', 'functions'].map(
        (kind) => `revoke all on all ${kind} in schema public from ${pg.escapeIdentifier(role)}`,
      ),
    ),
  ];
}

/**
 * @param strangers collects roles that our policies should not name: those of the database from which this
 * one was copied
 */
function tableDifferences(table: FoundTable, access: TableAccess, strangers: Set<string>): string[] {
  const name = pg.escapeIdentifier(table.name);
  const statements: string[] = [];
  if (access.rowSecurity !== 'off' && !table.enabled)
    statements.push(`alter table ${name} enable row level security`);
  if (access.rowSecurity === 'forced' && !table.forced)
    statements.push(`alter table ${name} force row level security`);
  for (const policy of access.policies) {
    const found = table.policies.find((candidate) => candidate.name === policy.name);
    if (found && isSame(found, policy)) continue;
    for (const role of found?.roles ?? []) if (role !== policy.role && role !== 'public') strangers.add(role);
    const policyName = pg.escapeIdentifier(policy.name);
    if (found) statements.push(`drop policy ${policyName} on ${name}`);
    statements.push(
      `create policy ${policyName} on ${name} for ${policy.command} to ${pg.escapeIdentifier(policy.role)}
        using (${policy.using})` + (policy.check === null ? '' : ` with check (${policy.check})`),
    );
  }
  for (const [role, privileges] of Object.entries(access.grants)) {
    const missing = privileges.filter((privilege) => !table.grants[role]?.includes(privilege));
    if (missing.length > 0)
      statements.push(`grant ${missing.join(', ').toLowerCase()} on ${name} to ${pg.escapeIdentifier(role)}`);
  }
  if (table.grants.public) statements.push(`revoke all on ${name} from public`);
  return statements;
}

/** Only one role may call a function that runs as its owner. */
function functionDifferences(
  { signature, isPublic, grantees }: FoundFunction,
  { store, system }: RoleUrls,
): string[] {
  const role = OF_SYSTEM.test(signature) ? system : store;
  return [
    ...(isPublic ? [`revoke execute on function ${signature} from public`] : []),
    ...(grantees.includes(role)
      ? []
      : [`grant execute on function ${signature} to ${pg.escapeIdentifier(role)}`]),
  ];
}

function isSame(found: FoundPolicy, policy: Policy): boolean {
  return (
    found.permissive &&
    found.roles.length === 1 &&
    found.roles[0] === policy.role &&
    COMMANDS[found.command] === policy.command &&
    bare(found.using) === bare(policy.using) &&
    bare(found.check) === bare(policy.check)
  );
}

/**
 * An expression without the parts that the server adds when it prints it: brackets, white space, casts to
 * text.
 */
const bare = (expression: string | null) => expression?.toLowerCase().replace(/::text|[\s()]/g, '') ?? null;

const FIND = `
  with ours as (
    select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.deptype = 'e')
  )
  select current_user as owner,
    has_schema_privilege($1, 'public', 'usage') and has_schema_privilege($2, 'public', 'usage') as usage,
    (select json_agg(json_build_object(
      'name', o.relname, 'enabled', o.relrowsecurity, 'forced', o.relforcerowsecurity,
      'hasStore', exists (select from pg_attribute a where a.attrelid = o.oid and a.attname = 'store_id'
      and not a.attisdropped),
      'policies', coalesce((
        select json_agg(json_build_object('name', p.polname, 'command', p.polcmd, 'permissive',
          p.polpermissive,
          'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid),
          'roles', (select coalesce(json_agg(coalesce(r.rolname, 'public')), '[]')
          from unnest(p.polroles) role
            left join pg_roles r on r.oid = role)))
        from pg_policy p where p.polrelid = o.oid), '[]'),
      'grants', coalesce((
        select json_object_agg(g.grantee, g.privileges) from (
          select coalesce(r.rolname, 'public') as grantee, json_agg(x.privilege_type) as privileges
          from aclexplode(o.relacl) x left join pg_roles r on r.oid = x.grantee group by 1) g), '{}')
    ) order by o.relname) from ours o) as tables,
    (select json_agg(json_build_object(
      'signature', f.oid::regprocedure::text,
      'isPublic', f.proacl is null or exists (select from aclexplode(f.proacl) x where x.grantee = 0),
      'grantees', (select coalesce(json_agg(r.rolname), '[]') from aclexplode(f.proacl) x join pg_roles r
      on r.oid = x.grantee)
    )) from pg_proc f where f.pronamespace = 'public'::regnamespace and f.prosecdef) as functions`;
