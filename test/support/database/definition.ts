import { ownerQuery } from '../test-app.js';

const DEFINITION = `
  with lines as (
    select concat_ws(' ', 'column', attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod),
        case when attnotnull then 'not null' end, attidentity, pg_get_expr(adbin, adrelid)) as line
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
      where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all select concat_ws(' ', 'constraint', conrelid::regclass || '.' || conname,
    pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select case when indisvalid then '' else 'invalid ' end || pg_get_indexdef(indexrelid)
      from pg_index join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', 'policy', polrelid::regclass || '.' || polname, polcmd, polpermissive,
        array(select rolname from pg_roles where oid = any(polroles)), pg_get_expr(polqual, polrelid),
        pg_get_expr(polwithcheck, polrelid)) from pg_policy
    union all select concat_ws(' ', relkind, relname, relrowsecurity, relforcerowsecurity, reloptions,
        array(select x::text from unnest(relacl) x order by 1), pg_get_expr(relpartbound, oid))
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
    union all select regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g')
        || array(select x::text from unnest(proacl) x order by 1)::text
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' and probin is null
    union all select 'extension ' || extname from pg_extension
    union all select 'migration ' || name from migrations
  ) select replace(line, current_database(), '<database>') as line from lines`;

/**
 * Everything that defines a database, a line for each column, constraint, index, trigger, policy, function
 * and privilege, sorted. The order of columns and the layout of functions do not matter.
 */
export const definitionAt = async (ownerUrl: string): Promise<string[]> =>
  (await ownerQuery<{ line: string }>(DEFINITION, [], ownerUrl)).map(({ line }) => line).sort();
