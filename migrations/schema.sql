-- The schema of version 1.0.0. An empty database is made from this file.
--
-- It goes through the rooms of the shop: installation, stores, people, access, catalog, customers, orders,
-- sales, bonus, marketing, settings, webhooks, notices, audit. A table stands with its purpose, its indexes
-- and the triggers that it fires.
--
-- Every table with a store_id belongs to a store: its keys begin with store_id, and foreign keys contain
-- it, so that no row can refer to another store. Columns named sealed_* are encrypted, columns named *_hash
-- are hashes of secrets. Times are of milliseconds, as JSON has them. Columns are json instead of jsonb
-- where a caller must get back what was written, in the same order.
--
-- A trigger keeps what must be exact whoever writes, in the transaction that writes: the counts of
-- customers, the sales of days and of customers, the marks of products, the feed of changed records. Or it
-- meets what a statement would otherwise have to look for each time: the end of a store. Everything else is
-- done by the statements of the service.
--
-- Whoever changes the schema edits this file until 1.0.0 is tagged, and writes a step afterwards
-- (CONTRIBUTING.md, Changing the schema).


-- Access to rows (docs/decisions/0003-row-level-security.md) --------------------------------------
-- The service connects as two roles, <database>_store and <database>_system. In a table with a store_id, and
-- in stores, the store role sees the rows of the store that its session names. The system role sees every row
-- of these tables, and of those of people, who may belong to several stores. Row-level security is forced, so
-- it holds for the owner of the tables as well. A function that runs as the owner is called by one role.

-- The statements that the tables and functions lack for this; none where all is as it should be. A database
-- that was restored under another name has its grants and policies for other roles, or has none. A new table
-- needs no line here, only its columns.
create function missing_access() returns setof text language sql stable as $$
  with roles as (
    select left(current_database(), 56) || '_store' as store,
      left(current_database(), 56) || '_system' as system
  ), tables as (
    select c.*, pg_get_userbyid(relowner) as owner, roles.*,
      -- The owner itself must see these rows, even if it is not a superuser.
      relname in ('migrations', 'encryption_keys', 'role_passwords') as is_installation,
      (select attname from pg_attribute where attrelid = c.oid and not attisdropped
        and attname = case relname when 'stores' then 'id' else 'store_id' end) as store_column
    from pg_class c, roles
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), policies as (
    select t.oid, relname, policy, role, command, visible, writable,
      array[to_regrole(quote_ident(role))::oid] as roles
    from tables t cross join lateral (values
      (store_column is not null, 'own_store', store, 'all',
        format('(%s = %s)', store_column,
          '(NULLIF(current_setting(''shop.store_id''::text, true), ''''::text))::uuid'), null),
      (not is_installation, case when store_column is null then 'every_row' else 'every_store' end, system,
        'all', 'true', 'true'),
      -- search_ids runs as the owner, from whom forced row-level security would hide the rows.
      (relname = 'search_documents', 'search_by_owner', owner, 'select', 'true', null),
      -- The service checks with its own role whether its keys are still the right ones, and its schema.
      (relname = 'encryption_keys', 'keys_in_use', system, 'select', 'true', null)
    ) p (is_wanted, policy, role, command, visible, writable) where is_wanted
  ), functions as (
    select oid::regprocedure as name, coalesce(proacl, acldefault('f', proowner)) as acl,
      case when proname in ('renew_order_event_epoch', 'tend_order_events') then system else store end as role
    from pg_proc, roles where pronamespace = 'public'::regnamespace and prosecdef
  )
  select format('grant usage on schema public to %I', role) from roles, unnest(array[store, system]) role
    where not has_schema_privilege(role, 'public', 'usage')
  union all
  select format('alter table %I %s', relname, string_agg(action || ' row level security', ', '))
    from tables cross join lateral (values
      (not relrowsecurity and relname <> 'migrations', 'enable'),
      (not relforcerowsecurity and not is_installation, 'force')
    ) a (is_wanted, action) where is_wanted group by relname
  union all
  select case when polname is not null then format('drop policy %I on %I; ', policy, relname) else '' end
    || format('create policy %I on %I for %s to %I using (%s)', policy, relname, command, role, visible)
    || coalesce(' with check (' || writable || ')', '')
  from policies w left join pg_policy p on polrelid = w.oid and polname = policy
    where (polpermissive, polcmd::text, polroles, pg_get_expr(polqual, polrelid),
        pg_get_expr(polwithcheck, polrelid))
      is distinct from (true, case command when 'all' then '*' else 'r' end, roles, visible, writable)
  union all
  select format('grant %s on %I to %I', lower(string_agg(privilege, ', ')), relname, role)
    from tables cross join lateral (values
      (store_column is not null, store, array['DELETE', 'INSERT', 'SELECT', 'UPDATE']),
      (not is_installation, system, array['DELETE', 'INSERT', 'SELECT', 'UPDATE']),
      (relname in ('migrations', 'encryption_keys'), system, array['SELECT'])
    ) g (is_wanted, role, privileges), unnest(privileges) privilege
    where is_wanted and not exists (select from aclexplode(relacl)
      where grantee = to_regrole(quote_ident(role)) and privilege_type = privilege)
    group by relname, role
  union all
  select format('revoke all on %I from public', relname) from tables
    where exists (select from aclexplode(relacl) where grantee = 0)
  union all
  select format('revoke execute on function %s from public', name) from functions
    where exists (select from aclexplode(acl) where grantee = 0)
  union all
  select format('grant execute on function %s to %I', name, role) from functions
    where not exists (select from aclexplode(acl) where grantee = to_regrole(quote_ident(role)))
  union all
  select distinct format('revoke all on all %s in schema public from %I', kind, rolname)
    from policies w join pg_policy p on polrelid = w.oid and polname = policy and polroles <> roles
    join tables t on t.oid = w.oid
    join pg_roles r on r.oid = any(polroles) and rolname not in (store, system, owner),
    unnest(array['tables', 'functions']) kind
$$;

-- Brings about what is missing, and returns it: for the schema below, for a new partition, and at each start.
create function give_access() returns setof text language plpgsql as $$
declare
  statement text;
begin
  foreach statement in array array(select missing_access()) loop
    execute statement;
    return next statement;
  end loop;
end $$;


-- Installation ------------------------------------------------------------------------------------
-- Which schema and steps the database has is in the table migrations, which TypeORM makes.

-- The keys with which secrets in this database are sealed, by their fingerprints.
create table encryption_keys (
  fingerprint text primary key,
  in_use_since timestamptz(3) not null
);

-- The passwords of the two roles.
create table role_passwords (
  role text primary key,
  sealed_password text not null,
  set_at timestamptz(3) not null
);

-- The time of due times and leases. It is cut to milliseconds, because columns would round it up, and a
-- delivery that was just queued would be due a moment later. It is STABLE and a single expression, so that
-- the planner can inline it and use it with an index.
create function shop_now() returns timestamptz language sql stable parallel safe as $$
  select date_trunc('milliseconds', statement_timestamp()) $$;

-- The last outcome of each job (src/jobs), of whichever process ran it last. Without an error it succeeded.
create table job_runs (
  name text primary key,
  ran_at timestamptz(3) not null,
  duration_ms integer not null,
  error text
);

-- What operators did to the installation, also to stores that are gone: who (the user of the operating
-- system) did it, and where. It is kept for good.
create table operator_log (
  id uuid primary key,
  at timestamptz(3) not null,
  os_user text not null,
  host text not null,
  command text not null,
  -- Such as store:ID; null for the whole installation.
  target text,
  details jsonb not null
);


-- Stores and what they pay ------------------------------------------------------------------------

-- Stores, with their present plan.
create table stores (
  id uuid primary key,
  name text not null,
  currency text not null,
  plan text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- By the operator: nobody may call anything in it, and its deliveries wait.
  suspended_at timestamptz(3),
  suspended_reason text,
  -- IANA; what days of reports go by.
  time_zone text not null default 'UTC',
  -- Of the fixed words of messages, invoices and printed sheets.
  language text not null default 'en',
  -- The colour by which the shop is known.
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- While it is moved to another installation, and at the old one for good: nothing in it changes. From
  -- `moved_to` on nothing is sent for it either.
  read_only_since timestamptz(3),
  moved_to text,
  -- The servers on which it was before. Cursors of the feed of changes are of a server.
  former_servers text[] not null default '{}',
  -- Whether its members have hidden the steps to its first sale.
  first_sale_hidden boolean not null default false,
  constraint stores_suspension check ((suspended_at is null) = (suspended_reason is null))
);

-- Begins what a session does in a store; true if it may only read. Whoever stops the changes of a store takes
-- the lock exclusively: so it waits for the transactions that may change something, and whatever begins
-- meanwhile only reads. Nobody waits for the lock here.
create function enter_store(store uuid) returns boolean language plpgsql as $$ begin
  perform set_config('shop.store_id', store::text, true);
  if pg_try_advisory_xact_lock_shared(hashtextextended('store:' || store, 0))
    and not exists (select from stores where id = store and read_only_since is not null)
  then
    return false;
  end if;
  perform set_config('transaction_read_only', 'on', true);
  return true;
end $$;

-- Whether this transaction copies the rows of a store (src/operator/backup). They are whole: triggers that
-- would write to other tables of them leave them alone, and what they would have written is compared.
create function is_copying() returns boolean language sql stable parallel safe as $$
  select current_setting('shop.copying', true) is not distinct from 'on' $$;

-- Tables without a foreign key to stores lose their rows here. The name of the trigger sorts after those of
-- foreign keys, so orders and products, whose deletion writes to these tables, are gone by then.
create function end_store() returns trigger language plpgsql as $$ begin
  delete from product_marks where store_id = old.id;
  delete from order_days where store_id = old.id;
  delete from product_days where store_id = old.id;
  delete from order_events where store_id = old.id;
  delete from record_changes where store_id = old.id;
  return null;
end $$;
create trigger store_ends after delete on stores for each row execute function end_store();

-- A store's subscription to the service. A store without a row has been active since it was created.
create table subscriptions (
  store_id uuid primary key references stores on delete cascade,
  status text not null default 'active' check (status in ('active', 'past_due', 'canceled')),
  started_at timestamptz(3) not null,
  cancel_at_period_end boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- All changes of plan.
create table plan_changes (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  from_plan text not null,
  to_plan text not null,
  changed_at timestamptz(3) not null,
  primary key (store_id, id)
);

-- What the store owes for the service, an invoice for each period.
create table invoices (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  number text not null,
  status text not null check (status in ('open', 'paid', 'void')),
  amount numeric not null check (amount >= 0),
  currency text not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  issued_at timestamptz(3) not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint invoices_number_key unique (store_id, number),
  constraint invoices_period_key unique (store_id, period_start),
  check (period_end > period_start)
);


-- People ------------------------------------------------------------------------------------------

-- The people who run stores.
create table users (
  id uuid primary key,
  -- Letters go to the address; it is compared by its key (docs/behaviour.md §6.18).
  email text not null,
  email_key text not null unique,
  password_hash text not null,
  created_at timestamptz(3) not null,
  email_proven_at timestamptz(3)
);

-- Signed-in browsers. `id` is what people end a session with, `browser` and `address` how they recognize it.
create table sessions (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  id uuid not null default gen_random_uuid() unique,
  browser text,
  address text
);
create index sessions_user on sessions (user_id);
create index sessions_age on sessions (created_at);

-- Browsers that have signed in before, by a cookie. Their attempts are counted separately from strangers'.
create table known_browsers (
  user_id uuid not null references users on delete cascade,
  token_hash text not null,
  last_used_at timestamptz(3) not null,
  primary key (user_id, token_hash)
);
create index known_browsers_token on known_browsers (token_hash);

-- Recent attempts at passwords, by account and by address, so that a restart allows nobody more of them.
create table sign_in_attempts (
  subject text primary key,
  attempts integer not null,
  since timestamptz(3) not null
);
create index sign_in_attempts_age on sign_in_attempts (since);

-- One-time links with which people choose a new password.
create table password_resets (
  token_hash text primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index password_resets_user on password_resets (user_id);
create index password_resets_age on password_resets (expires_at);

-- The secrets of authenticator apps.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  sealed_secret text not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  last_step bigint not null
);

-- The codes that replace a lost authenticator app.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash text not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Who belongs to a store, and as what. `groups` narrows staff to groups of operations and names of
-- operations (docs/behaviour.md §2.4); null is every group, here and in the tables below.
create table store_members (
  store_id uuid not null references stores on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'staff')),
  created_at timestamptz(3) not null,
  groups text[],
  primary key (store_id, user_id)
);
create index store_members_user on store_members (user_id);

-- One-time links with which people join a store (docs/behaviour.md §12). The link that is sent by e-mail
-- has a further secret, which proves the address.
create table invitations (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'staff')),
  token_hash text not null constraint invitations_token_key unique,
  invited_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  redeemed_at timestamptz(3),
  withdrawn_at timestamptz(3),
  groups text[],
  mailed_hash text,
  primary key (store_id, id)
);
create unique index invitations_open on invitations (store_id, email_key)
  where redeemed_at is null and withdrawn_at is null;
create index invitations_age on invitations (expires_at);


-- Access of programs ------------------------------------------------------------------------------

-- API tokens (docs/behaviour.md §2.1). `created_by` is null for those of the operator, and is no foreign
-- key, because a token outlives an account.
create table api_tokens (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  token_hash text not null constraint api_tokens_hash_key unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  groups text[],
  created_by uuid,
  primary key (store_id, id)
);
create index api_tokens_revoked on api_tokens (revoked_at) where revoked_at is not null;
create index api_tokens_expired on api_tokens (expires_at) where expires_at is not null;

-- Filters of a page of the dashboard under a name, for all members (docs/behaviour.md §10).
create table saved_views (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  page text not null check (page in ('orders', 'customers')),
  name text not null,
  name_key text not null,
  query text not null,
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint saved_views_name_key unique (store_id, page, name_key)
);

-- Apps that people can connect (docs/behaviour.md §15).
create table oauth_clients (
  id text primary key,
  kind text not null check (kind in ('registered', 'partner')),
  metadata jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create index oauth_clients_expiry on oauth_clients (expires_at);

-- Apps that the operator has blocked, by their id or host.
create table oauth_blocked_clients (
  client text primary key,
  blocked_at timestamptz(3) not null
);

-- Requests of apps that a person has not answered yet.
create table oauth_interactions (
  id_hash text primary key,
  payload jsonb not null,
  expires_at timestamptz(3) not null
);
create index oauth_interactions_expiry on oauth_interactions (expires_at);

-- What a member allows an app to do in a store. It ends with the membership.
create table oauth_grants (
  store_id uuid not null,
  id uuid not null unique,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  client_host text,
  redirect_host text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  resource text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  groups text[],
  -- What the person was offered and did not choose: not checked when the app asks again.
  declined text[] not null,
  -- What the app asked for: its tokens name of what was granted only that.
  asked_scopes text[] not null,
  -- Whether a person has to approve what matters before the app does it.
  asks_first boolean not null,
  daily_limits jsonb,
  daily_spent jsonb,
  primary key (store_id, id),
  constraint oauth_grants_member_fkey foreign key (store_id, user_id) references store_members
    on delete cascade
);
create index oauth_grants_member on oauth_grants (store_id, user_id);
create index oauth_grants_user on oauth_grants (user_id);
create index oauth_grants_client on oauth_grants (client_id);
create index oauth_grants_expiry on oauth_grants (expires_at);

-- The codes and tokens of a grant.
create table oauth_tokens (
  store_id uuid not null,
  grant_id uuid not null,
  kind text not null check (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')),
  token_hash text not null constraint oauth_tokens_hash_key unique,
  payload jsonb not null,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (store_id, token_hash),
  foreign key (store_id, grant_id) references oauth_grants on delete cascade
);
create index oauth_tokens_grant on oauth_tokens (store_id, grant_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);


-- Catalog -----------------------------------------------------------------------------------------

-- Brands. Deleting one clears the link of its products.
create table brands (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  name text not null,
  slug text not null,
  description text,
  logo_url text,
  website_url text,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint brands_slug_key unique (store_id, slug)
);

-- Trees of categories. Deleting one makes its children roots and clears the link of its products.
create table categories (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  name text not null,
  slug text not null,
  description text,
  image_url text,
  parent_id uuid,
  -- A bigint, because it may be any integer that JSON can represent exactly.
  sort_order bigint not null,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint categories_slug_key unique (store_id, slug),
  constraint categories_parent foreign key (store_id, parent_id) references categories
    on delete set null (parent_id),
  constraint categories_parent_not_self check (parent_id <> id)
);
-- The order of lists: of all categories, and of those under one parent.
create index categories_sorted on categories (store_id, sort_order, id desc);
create index categories_of_parent on categories (store_id, parent_id, sort_order, id desc);
-- Every page of the catalog and every order ask for the inactive ones. Usually there are few.
create index categories_not_active on categories (store_id, id) where not is_active;

-- The form in which external ids, codes, options and values are compared, as nameKey of src/platform/text
-- makes it: composed, without what nobody sees, every blank as one.
create function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select case when name ~ '^[!-~]+( [!-~]+)*$' then name else btrim(regexp_replace(normalize(regexp_replace(
    normalize(name), concat('[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160',
      '\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0',
      '\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'), '', 'g')),
    '[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2800]+', ' ', 'g'), ' ') end $$;

-- How low a stock is, 0 for none left. Above 100 pieces there is no level, so a level changes rarely.
create function stock_level(pieces bigint) returns smallint language sql immutable parallel safe as $$
  select case when pieces <= 0 then 0 when pieces <= 5 then 1 when pieces <= 20 then 2
    when pieces <= 100 then 3 end::smallint $$;

-- Products. Prices are exact decimals in the store's currency (docs/behaviour.md §4.2). Orders update the
-- stock: with free space on the page, such an update does not have to change the indexes.
create table products (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  product_id text not null,
  title text not null,
  description text not null,
  images text[] not null,
  price numeric not null check (price > 0),
  sale_price numeric check (sale_price > 0),
  item_amount bigint check (item_amount >= 0),
  is_hidden boolean not null default false,
  brand text,
  category text,
  sub_category text,
  tags text,
  shipping_time text,
  season text,
  brand_id uuid,
  category_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Versions that orders made: see lastEdit in platform/store/version.ts.
  moved_at timestamptz(3),
  edited_at timestamptz(3),
  -- How other systems know the product: its stock keeping unit and barcode (docs/behaviour.md §13.15).
  sku text,
  barcode text,
  product_key text not null generated always as (name_key(product_id)) stored,
  sku_key text generated always as (name_key(sku)) stored,
  barcode_key text generated always as (name_key(barcode)) stored,
  -- From then on there is no sale, also before a job has written so (docs/behaviour.md §13.4).
  sale_until timestamptz(3),
  primary key (store_id, id),
  constraint products_sale_until check (sale_until is null or sale_price is not null),
  constraint products_product_id_key unique (store_id, product_id),
  constraint products_product_key unique (store_id, product_key),
  constraint products_brand foreign key (store_id, brand_id) references brands on delete set null (brand_id),
  constraint products_category foreign key (store_id, category_id) references categories
    on delete set null (category_id)
) with (fillfactor = 80);
-- find_products reads these in order, so that a first page costs the same in stores of any size.
create index products_by_visibility on products (store_id, is_hidden, id);
create index products_of_brand_by_id on products (store_id, brand_id, id) where brand_id is not null;
create index products_of_category_by_id on products (store_id, category_id, id) where category_id is not null;
create index products_without_category on products (store_id, id) where category_id is null;
-- What shoppers filter by.
create index products_of_sub_category_by_id on products (store_id, sub_category, id)
  where sub_category is not null;
create index products_on_sale on products (store_id, id) where sale_price is not null;
create index products_with_end on products (store_id, sale_until) where sale_until is not null;
create index products_of_sku on products (store_id, sku_key) where sku_key is not null;
create index products_of_barcode on products (store_id, barcode_key) where barcode_key is not null;
-- The marks of a product follow it, and end with it.
create function mark_product() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' then
    delete from product_marks where store_id = old.store_id and product_id = old.id;
  else
    insert into product_marks as m (store_id, product_id, variant_id, changed_at, level)
    values (new.store_id, new.id, '00000000-0000-0000-0000-000000000000', new.updated_at,
      stock_level(new.item_amount))
    on conflict (store_id, product_id, variant_id)
    do update set changed_at = excluded.changed_at, level = excluded.level;
  end if;
  return null;
end $$;
create trigger product_marks after insert or delete on products
  for each row execute function mark_product();

-- What follows an update of products, for all rows of a statement at once: one may change those of a whole
-- brand. The plans are kept and know nothing of how many rows there are, so nested loops are ruled out.
create function products_changed() returns trigger language plpgsql set enable_nestloop = off as $$ begin
  insert into product_marks as m (store_id, product_id, variant_id, changed_at, level)
  select n.store_id, n.id, '00000000-0000-0000-0000-000000000000', n.updated_at, stock_level(n.item_amount)
  from changed n join former o on o.store_id = n.store_id and o.id = n.id
  where o.updated_at <> n.updated_at or stock_level(o.item_amount) is distinct from stock_level(n.item_amount)
  on conflict (store_id, product_id, variant_id)
  do update set changed_at = excluded.changed_at, level = excluded.level;
  insert into record_changes as c (store_id, record_id, kind, product_id, change)
  select n.store_id, n.id, 'product', n.product_id, 'updated'
  from changed n join former o on o.store_id = n.store_id and o.id = n.id
  where o.updated_at <> n.updated_at
  on conflict (store_id, record_id) do update set kind = excluded.kind, product_id = excluded.product_id,
    change = case when c.xid = excluded.xid and c.change = 'created' then c.change else excluded.change end,
    at = excluded.at, epoch = excluded.epoch, xid = excluded.xid;
  return null;
end $$;
create trigger products_changed after update on products referencing old table as former new table as changed
  for each statement execute function products_changed();

-- The variants of a product, such as its sizes.
create table variants (
  store_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  option_title text not null,
  variant_value text not null,
  price numeric not null check (price >= 0),
  sale_price numeric check (sale_price >= 0),
  item_amount bigint check (item_amount >= 0),
  sort_order bigint not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  moved_at timestamptz(3),
  edited_at timestamptz(3),
  sku text,
  barcode text,
  option_key text not null generated always as (name_key(option_title)) stored,
  value_key text not null generated always as (name_key(variant_value)) stored,
  sku_key text generated always as (name_key(sku)) stored,
  barcode_key text generated always as (name_key(barcode)) stored,
  sale_until timestamptz(3),
  primary key (store_id, id),
  constraint variants_sale_until check (sale_until is null or sale_price is not null),
  constraint variants_product foreign key (store_id, product_id) references products on delete cascade
);
create index variants_of_product on variants (store_id, product_id, id);
create index variants_on_sale on variants (store_id, product_id) where sale_price is not null;
create index variants_with_end on variants (store_id, sale_until) where sale_until is not null;
create index variants_of_sku on variants (store_id, sku_key) where sku_key is not null;
create index variants_of_barcode on variants (store_id, barcode_key) where barcode_key is not null;

-- A variant has a mark only while its stock is low.
create function mark_variant() returns trigger language plpgsql as $$
declare
  before smallint := stock_level(old.item_amount);
  now smallint := stock_level(new.item_amount);
begin
  if now is null and before is not null then
    delete from product_marks
    where store_id = old.store_id and product_id = old.product_id and variant_id = old.id;
  elsif now is distinct from before then
    insert into product_marks as m (store_id, product_id, variant_id, level)
    values (new.store_id, new.product_id, new.id, now)
    on conflict (store_id, product_id, variant_id) do update set level = excluded.level;
  end if;
  return null;
end $$;
create trigger product_marks after insert or update or delete on variants
  for each row execute function mark_variant();

-- The filters of products that orders change: the time of the last change, and how low the stock is. They are
-- stored apart, so that a change of stock does not have to change the indexes of the wide product rows. The
-- mark of the product itself has the variant 0. There are no foreign keys, because their checks would lock
-- products in another order than orders do.
create table product_marks (
  store_id uuid not null,
  product_id uuid not null,
  variant_id uuid not null,
  changed_at timestamptz(3),
  level smallint,
  primary key (store_id, product_id, variant_id)
) with (fillfactor = 80);
create index product_marks_changed on product_marks (store_id, changed_at, product_id)
  where changed_at is not null;
create index product_marks_low on product_marks (store_id, level, product_id) where level is not null;

-- Uploaded pictures, where the installation has no bucket (docs/behaviour.md §10.3). Their addresses contain
-- the id, under which the bytes never change. They are compressed already, and are read in parts.
create table pictures (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  type text not null,
  bytes bytea not null,
  created_at timestamptz(3) not null,
  -- Since when nothing of the store has its address, as far as it was looked up.
  unused_since timestamptz(3),
  primary key (store_id, id)
);
alter table pictures alter column bytes set storage external;

-- The same in smaller widths, in pixels.
create table picture_sizes (
  store_id uuid not null,
  id uuid not null,
  width integer not null,
  type text not null,
  bytes bytea not null,
  primary key (store_id, id, width),
  foreign key (store_id, id) references pictures on delete cascade
);
alter table picture_sizes alter column bytes set storage external;


-- Customers ---------------------------------------------------------------------------------------

-- Shoppers. `id` is that of the messenger, with 64 bits. `bonus_balance` is the sum of their bonus_entries,
-- `bonus_owed` the sum of those of debts; only one of them is above 0 (docs/behaviour.md §6.5).
-- `edited_names` are those that the shop has changed: the messenger no longer changes them. Every order
-- updates the row of its customer; with free space on the page, the indexes do not have to change.
create table customers (
  store_id uuid not null references stores on delete cascade,
  id bigint not null check (id > 0),
  username text,
  first_name text,
  last_name text,
  is_bot_blocked boolean not null default false,
  is_banned boolean not null default false,
  bonus_balance numeric(20,2) not null default 0 check (bonus_balance >= 0),
  bonus_owed numeric(20,2) not null default 0 check (bonus_owed >= 0),
  referrer_id bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_seen_at timestamptz(3),
  edited_names text[] not null default '{}',
  moved_at timestamptz(3),
  edited_at timestamptz(3),
  -- What another system knows the customer by, and keeps with it.
  external_id text,
  metadata json,
  primary key (store_id, id),
  constraint customers_referrer foreign key (store_id, referrer_id) references customers
) with (fillfactor = 80);
create index customers_of_referrer on customers (store_id, referrer_id) where referrer_id is not null;
create index customers_of_reference on customers (store_id, external_id) where external_id is not null;
-- Usually there are few of both.
create index customers_banned on customers (store_id, id) where is_banned;
create index customers_bot_blocked on customers (store_id, id) where is_bot_blocked;

-- The counts of customers follow every change. The triggers run once per statement: a hundred thousand
-- updates of one row of counts in a transaction take minutes. Sums of 0 are not entered, since every visit
-- updates customers. Customers who are deleted with their store are not counted: its counts are gone by
-- then.
create function contacts_inserted() returns trigger language plpgsql as $$
declare net record;
begin
  for net in
    select store_id, sum(sign) as total, sum(sign * (not is_banned and not is_bot_blocked)::int) as active,
      sum(sign * is_banned::int) as banned, sum(sign * is_bot_blocked::int) as bot_blocked
    from (select 1 as sign, store_id, is_banned, is_bot_blocked from added) c
    group by store_id order by store_id
  loop
    if (net.total, net.active, net.banned, net.bot_blocked) <> (0, 0, 0, 0) then
      perform enter_contacts(net.store_id, net.total, net.active, net.banned, net.bot_blocked);
    end if;
    insert into customer_sales (store_id, customer_id, created_at)
    select store_id, id, created_at from added where store_id = net.store_id on conflict do nothing;
  end loop;
  return null;
end $$;
create function contacts_updated() returns trigger language plpgsql as $$
declare net record;
begin
  for net in
    select store_id, sum(sign) as total, sum(sign * (not is_banned and not is_bot_blocked)::int) as active,
      sum(sign * is_banned::int) as banned, sum(sign * is_bot_blocked::int) as bot_blocked
    from (select 1 as sign, store_id, is_banned, is_bot_blocked from added
      union all select -1, store_id, is_banned, is_bot_blocked from removed) c
    group by store_id order by store_id
  loop
    if (net.total, net.active, net.banned, net.bot_blocked) <> (0, 0, 0, 0) then
      perform enter_contacts(net.store_id, net.total, net.active, net.banned, net.bot_blocked);
    end if;
  end loop;
  return null;
end $$;
create function contacts_deleted() returns trigger language plpgsql as $$
declare net record;
begin
  for net in
    select store_id, sum(sign) as total, sum(sign * (not is_banned and not is_bot_blocked)::int) as active,
      sum(sign * is_banned::int) as banned, sum(sign * is_bot_blocked::int) as bot_blocked
    from (select -1 as sign, store_id, is_banned, is_bot_blocked from removed
      where exists (select from stores s where s.id = removed.store_id)) c
    group by store_id order by store_id
  loop
    if (net.total, net.active, net.banned, net.bot_blocked) <> (0, 0, 0, 0) then
      perform enter_contacts(net.store_id, net.total, net.active, net.banned, net.bot_blocked);
    end if;
  end loop;
  return null;
end $$;
create trigger contact_counts_insert after insert on customers referencing new table as added
  for each statement when (not is_copying()) execute function contacts_inserted();
create trigger contact_counts_update after update on customers
  referencing old table as removed new table as added for each statement execute function contacts_updated();
create trigger contact_counts_delete after delete on customers referencing old table as removed
  for each statement execute function contacts_deleted();

-- How many customers a store has, so that they do not have to be counted. A figure is the sum over the rows
-- of a store, because two writers of one row would wait for each other until the end of their transactions.
create table contact_counts (
  store_id uuid not null references stores on delete cascade,
  slot integer not null,
  total bigint not null,
  active bigint not null,
  banned bigint not null,
  bot_blocked bigint not null,
  primary key (store_id, slot)
);

-- Adds to the counts. Each connection has one of 16 slots. If another transaction still holds it, the
-- connection uses the next free one: it already holds locks at that time, so waiting could end in a deadlock.
-- If all are taken, it uses its own row, so that no connection ever waits.
create function enter_contacts(store uuid, all_of_them bigint, active_ones bigint, banned_ones bigint,
  blocked_ones bigint) returns void language plpgsql as $$
declare
  own integer := pg_backend_pid() % 16;
  taken integer := 16 + pg_backend_pid();
begin
  for i in 0..15 loop
    if pg_try_advisory_xact_lock(hashtextextended('contact_counts' || store || (own + i) % 16, 0)) then
      taken := (own + i) % 16;
      exit;
    end if;
  end loop;
  insert into contact_counts as c (store_id, slot, total, active, banned, bot_blocked)
  values (store, taken, all_of_them, active_ones, banned_ones, blocked_ones)
  on conflict (store_id, slot) do update set total = c.total + excluded.total,
    active = c.active + excluded.active, banned = c.banned + excluded.banned,
    bot_blocked = c.bot_blocked + excluded.bot_blocked;
end $$;

-- What each customer bought, so that customers are found and sorted by it. A row is made with its customer.
-- The triggers of orders add to it, but only at the end of a transaction: whoever waits for a row then holds
-- all other locks already, so nobody waits in a circle. `created_at` is the customer's, `last_order_at` that
-- of the newest order that is not cancelled, -infinity without one. Amounts are bigint, because row-level
-- security uses an index only for comparisons that are leakproof, which those of numeric are not.
create table customer_sales (
  store_id uuid not null,
  customer_id bigint not null,
  created_at timestamptz(3) not null,
  order_count bigint not null default 0,
  total_spent bigint not null default 0,
  last_order_at timestamptz(3) not null default '-infinity',
  primary key (store_id, customer_id),
  constraint customer_sales_customer foreign key (store_id, customer_id) references customers
    on delete cascade
) with (fillfactor = 80);
-- find_customers reads these in order.
create index customer_sales_by_creation on customer_sales (store_id, created_at, customer_id);
create index customer_sales_by_count on customer_sales (store_id, order_count, customer_id);
create index customer_sales_by_spent on customer_sales (store_id, total_spent, customer_id);
create index customer_sales_by_order on customer_sales (store_id, last_order_at, customer_id);

-- The days on which shoppers visited. Each visit has the day of the one before it, so that the distinct
-- shoppers of a window are the visits whose predecessor is before it: one pass over an index, while
-- count(distinct) sorts every visit.
create table visits (
  store_id uuid not null,
  -- Whose day it is: get_analytics counts UTC days, and reports those of the store.
  calendar text not null default 'utc' check (calendar in ('utc', 'store')),
  customer_id bigint not null,
  day date not null,
  previous_day date,
  primary key (store_id, customer_id, calendar, day),
  constraint visits_customer foreign key (store_id, customer_id) references customers on delete cascade,
  check (previous_day < day)
);
create index visits_of_day on visits (store_id, calendar, day) include (previous_day);
create index visits_age on visits (day);

-- Orders ------------------------------------------------------------------------------------------

-- How many orders the store has placed, those that were deleted too. The statement that writes an order takes
-- the next number, and holds the row until its transaction ends: so there are no holes, and no number is used
-- again (docs/behaviour.md §4.1).
create table order_counters (
  store_id uuid primary key references stores on delete cascade,
  last bigint not null check (last > 0)
) with (fillfactor = 10);
create function next_order_id(store uuid) returns bigint language sql as $$
  insert into order_counters as c (store_id, last) values (store, 1)
  on conflict (store_id) do update set last = c.last + 1 returning c.last $$;

-- Orders keep what they need of the catalog and the configuration, which change later: the statuses that the
-- order has had (null: only the present one), how its price was computed, what cancelling gave back.
create table orders (
  store_id uuid not null references stores on delete cascade,
  id bigint not null,
  status text not null check (status in ('PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED')),
  payment_method text not null,
  total_price bigint not null check (total_price between 0 and 9007199254740991),
  tip_amount bigint check (tip_amount >= 0),
  currency text not null,
  messenger_user_id bigint not null,
  shipping_address json,
  checkout_data json,
  tracking_url text,
  carrier text,
  tracking_number text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  entered text[],
  pricing json,
  cancellation json,
  cashback_terms json,
  external_id text,
  metadata json,
  -- What was paid in the messenger, or had been paid when the order was placed, whether a provider in test
  -- mode took it, and what refunds name; one without amount names all that was paid. Minor units.
  paid bigint not null default 0,
  is_test boolean not null default false,
  returned bigint not null default 0,
  -- When a shopper was last allowed to pay, until the payment comes.
  pre_checkout_at timestamptz(3),
  primary key (store_id, id),
  constraint orders_customer foreign key (store_id, messenger_user_id) references customers
);
-- Lists and searches of orders read these in order.
create index orders_by_status on orders (store_id, status, id desc);
create index orders_by_creation on orders (store_id, created_at, id);
create index orders_by_update on orders (store_id, updated_at, id);
create index orders_of_customer on orders (store_id, messenger_user_id, id desc);
create index orders_of_reference on orders (store_id, external_id) where external_id is not null;
-- What of a cancelled order's payment no refund names (docs/behaviour.md §6.13).
create function owed_back(status text, paid bigint, returned bigint) returns bigint
  language sql immutable as $$
  select case when status = 'CANCELLED' then greatest(paid - returned, 0) else 0 end $$;
create index orders_owed_back on orders (store_id, id desc) where owed_back(status, paid, returned) > 0;

-- The orders that count as revenue, everywhere.
create function earns(status text) returns boolean language sql immutable as $$
  select status in ('PROCESSING', 'SHIPPED', 'DELIVERED') $$;

create function earned(status text, total_price bigint) returns numeric language sql immutable as $$
  select case when earns(status) then total_price::numeric else 0 end $$;

-- Sales per day follow every change of an order.
create function orders_inserted() returns trigger language plpgsql as $$ begin
  insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue)
  select o.store_id, sales_day(o.created_at), count(*) filter (where o.status = 'PENDING'),
    count(*) filter (where o.status = 'PROCESSING'), count(*) filter (where o.status = 'SHIPPED'),
    count(*) filter (where o.status = 'DELIVERED'), count(*) filter (where o.status = 'CANCELLED'),
    sum(earned(o.status, o.total_price))
  from added o group by o.store_id, sales_day(o.created_at);
  return null;
end $$;
create function order_updated() returns trigger language plpgsql as $$
declare
  old_day date := sales_day(old.created_at);
  new_day date := sales_day(new.created_at);
begin
  if old_day = new_day then
    perform enter_order(new.store_id, new_day, old.status, new.status,
      earned(new.status, new.total_price) - earned(old.status, old.total_price));
  else
    perform enter_order(old.store_id, old_day, old.status, null, -earned(old.status, old.total_price));
    perform enter_order(new.store_id, new_day, null, new.status, earned(new.status, new.total_price));
  end if;
  if earns(old.status) and (not earns(new.status) or old_day <> new_day) then
    perform enter_lines(old.store_id, old.id, old_day, -1);
  end if;
  if earns(new.status) and (not earns(old.status) or old_day <> new_day) then
    perform enter_lines(new.store_id, new.id, new_day, 1);
  end if;
  return null;
end $$;
-- This runs before the deletion, because the lines are deleted with the order.
create function order_deleted() returns trigger language plpgsql as $$ begin
  perform enter_order(old.store_id, sales_day(old.created_at), old.status, null,
    -earned(old.status, old.total_price));
  if earns(old.status) then
    perform enter_lines(old.store_id, old.id, sales_day(old.created_at), -1);
  end if;
  return old;
end $$;
create trigger sales_days_insert after insert on orders referencing new table as added
  for each statement when (not is_copying()) execute function orders_inserted();
create trigger sales_days_update after update on orders for each row
  when ((old.status, old.total_price, old.created_at) is distinct from
    (new.status, new.total_price, new.created_at))
  execute function order_updated();
create trigger sales_days_delete before delete on orders for each row execute function order_deleted();

-- The figures of the order's customer follow, too (customer_sales). Whoever takes the newest order away locks
-- the row first, because the statement that then looks for the newest one left must see all the others.
create function enter_customer_sales() returns trigger language plpgsql as $$
declare
  leaves boolean := tg_op <> 'INSERT' and old.status <> 'CANCELLED';
  enters boolean := tg_op <> 'DELETE' and new.status <> 'CANCELLED';
  store uuid := case when tg_op = 'DELETE' then old.store_id else new.store_id end;
  customer bigint := case when tg_op = 'DELETE' then old.messenger_user_id else new.messenger_user_id end;
begin
  if leaves then
    perform from customer_sales where store_id = store and customer_id = customer for no key update;
  end if;
  update customer_sales s set order_count = s.order_count + enters::int - leaves::int,
    total_spent = s.total_spent + case when enters then earned(new.status, new.total_price) else 0 end
      - case when leaves then earned(old.status, old.total_price) else 0 end,
    last_order_at = case
      when leaves and old.created_at >= s.last_order_at then coalesce((
        select max(o.created_at) from orders o
        where o.store_id = store and o.messenger_user_id = customer and o.status <> 'CANCELLED'), '-infinity')
      when enters then greatest(s.last_order_at, new.created_at) else s.last_order_at end
  where s.store_id = store and s.customer_id = customer;
  return null;
end $$;
create constraint trigger customer_sales_insert after insert on orders deferrable initially deferred
  for each row when (new.status <> 'CANCELLED' and not is_copying())
  execute function enter_customer_sales();
create constraint trigger customer_sales_update after update on orders deferrable initially deferred
  for each row when ((old.status = 'CANCELLED', earned(old.status, old.total_price), old.created_at)
    is distinct from (new.status = 'CANCELLED', earned(new.status, new.total_price), new.created_at))
  execute function enter_customer_sales();
create constraint trigger customer_sales_delete after delete on orders deferrable initially deferred
  for each row when (old.status <> 'CANCELLED') execute function enter_customer_sales();

-- The phone numbers of orders: the recipients', and those of checkout forms. `digits` are those of the number
-- from the last one on: people write a number with and without its country. They stand apart, so that a
-- change of status does not have to change their index.
create table order_phones (
  store_id uuid not null,
  order_id bigint not null,
  nth bigint not null,
  customer_id bigint not null,
  phone text not null,
  digits text collate "C" not null,
  primary key (store_id, order_id, nth),
  constraint order_phones_order foreign key (store_id, order_id) references orders on delete cascade
);
create index order_phones_found on order_phones (store_id, digits, customer_id);
create index order_phones_of_customer on order_phones (store_id, customer_id, order_id desc, nth);

-- The lines of an order. They keep the product and variant, the keys of the category and the tracked stock
-- that was taken. There are no foreign keys to the catalog, because orders outlive products and variants.
create table order_items (
  store_id uuid not null,
  order_id bigint not null,
  position integer not null,
  product_id text not null,
  title text not null,
  quantity integer not null check (quantity > 0),
  price bigint not null check (price >= 0),
  size text,
  variant_option_title text,
  variant_value text,
  catalog_product_id uuid,
  catalog_variant_id uuid,
  category_keys json,
  stock_taken bigint,
  discount bigint not null default 0,
  bonus bigint not null default 0,
  primary key (store_id, order_id, position),
  constraint order_items_order foreign key (store_id, order_id) references orders on delete cascade
);
create index order_items_of_product on order_items (store_id, product_id, order_id);

-- Sales per day follow every change of a line. The order is locked, so that its status does not change. Lines
-- that are deleted with their order are not counted again, because their order is gone.
create function lines_changed() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' then
    with held as materialized (
      select l.store_id, o.status, sales_day(o.created_at) as day, l.product_id, l.title, l.quantity, l.price
      from removed l join orders o on o.store_id = l.store_id and o.id = l.order_id for share of o)
    insert into product_days (store_id, day, product_id, title, quantity, revenue)
    select store_id, day, product_id, title, -1 * sum(quantity), -1 * sum(price::numeric * quantity)
    from held where earns(status) group by store_id, day, product_id, title;
  else
    with held as materialized (
      select l.store_id, o.status, sales_day(o.created_at) as day, l.product_id, l.title, l.quantity, l.price
      from added l join orders o on o.store_id = l.store_id and o.id = l.order_id for share of o)
    insert into product_days (store_id, day, product_id, title, quantity, revenue)
    select store_id, day, product_id, title, 1 * sum(quantity), 1 * sum(price::numeric * quantity)
    from held where earns(status) group by store_id, day, product_id, title;
  end if;
  return null;
end $$;
-- Only for what is counted: what a line has taken of the stock changes while products are locked, and whoever
-- has locked the order may be waiting for them.
create function line_updated() returns trigger language plpgsql as $$ begin
  with held as materialized (
    select o.store_id, o.status, sales_day(o.created_at) as day from orders o
    where o.store_id = new.store_id and o.id = new.order_id for share)
  insert into product_days (store_id, day, product_id, title, quantity, revenue)
  select h.store_id, h.day, l.product_id, l.title, l.quantity, l.quantity * l.price
  from held h, (values (old.product_id, old.title, -old.quantity, old.price::numeric),
    (new.product_id, new.title, new.quantity, new.price::numeric)) as l (product_id, title, quantity, price)
  where earns(h.status);
  return null;
end $$;
create trigger sales_days_insert after insert on order_items referencing new table as added
  for each statement when (not is_copying()) execute function lines_changed();
create trigger sales_days_update after update on order_items for each row
  when ((old.product_id, old.title, old.quantity, old.price) is distinct from
    (new.product_id, new.title, new.quantity, new.price))
  execute function line_updated();
create trigger sales_days_delete after delete on order_items referencing old table as removed
  for each statement execute function lines_changed();

-- Refunds that were recorded for an order. The amount is null if none was given.
create table order_refunds (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  order_id bigint not null,
  amount bigint check (amount >= 0),
  reason text,
  refunded_by text not null,
  refunded_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint order_refunds_order foreign key (store_id, order_id) references orders on delete cascade
);
create index order_refunds_of_order on order_refunds (store_id, order_id);

-- Internal notes. Only its author, who is known by kind and id, may delete one.
create table order_notes (
  store_id uuid not null,
  id uuid not null,
  order_id bigint not null,
  text text not null,
  author text not null,
  created_at timestamptz(3) not null,
  author_kind text,
  author_id text,
  primary key (store_id, id),
  constraint order_notes_order foreign key (store_id, order_id) references orders on delete cascade
);
create index order_notes_of_order on order_notes (store_id, order_id, id);

-- Messages to the shopper about an order, for its timeline.
create table order_messages (
  store_id uuid not null,
  id uuid not null,
  order_id bigint not null,
  kind text not null check (kind in ('placed', 'paid', 'shipped', 'delivered', 'cancelled')),
  -- 'due' while it waits to be sent, 'unknown' while it is sent.
  outcome text not null,
  -- What the messenger said of it, or of its picture.
  detail text,
  sent_by text not null,
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint order_messages_order foreign key (store_id, order_id) references orders on delete cascade
);
create index order_messages_of_order on order_messages (store_id, order_id, id);
-- What the service tells by itself, it tells once.
create unique index order_messages_once on order_messages (store_id, order_id, kind) where kind <> 'shipped';
create index order_messages_due on order_messages (store_id, id) where outcome = 'due';

-- The keys with which repeated orders are recognized. A retry reads the order itself, so that no copy of the
-- shopper's data outlives it; order_id is null after the order was deleted.
create table order_keys (
  store_id uuid not null,
  customer_id bigint not null,
  key text not null,
  input_hash text not null,
  order_id bigint,
  created_at timestamptz(3) not null,
  primary key (store_id, customer_id, key),
  constraint order_keys_customer foreign key (store_id, customer_id) references customers on delete cascade,
  constraint order_keys_order foreign key (store_id, order_id) references orders on delete set null (order_id)
);
create index order_keys_age on order_keys (store_id, created_at);
create index order_keys_of_order on order_keys (store_id, order_id);

-- All payments that the messenger reported, by their charge ids. Those that match no order are included,
-- because the owner has the money.
create table payments (
  store_id uuid not null references stores on delete cascade,
  charge_id text not null,
  provider_charge_id text,
  payer_id bigint not null,
  invoice_payload text not null,
  order_id bigint,
  currency text not null,
  amount bigint not null,
  outcome text not null check (outcome in
    ('accepted', 'unknown_order', 'other_shopper', 'other_currency', 'other_amount', 'not_pending')),
  received_at timestamptz(3) not null,
  id uuid not null,
  -- What the payer typed, and when the messenger gave the money back.
  order_info json,
  refunded_at timestamptz(3),
  primary key (store_id, charge_id),
  constraint payments_order foreign key (store_id, order_id) references orders on delete set null (order_id)
);
create unique index payments_by_id on payments (store_id, id);
create index payments_of_order on payments (store_id, order_id);

-- Orders that wait for their payment in the messenger. A row goes when the order is paid, cancelled or taken
-- up by the shop (docs/behaviour.md §6.13).
create table awaited_payments (
  store_id uuid not null references stores on delete cascade,
  order_id bigint not null,
  primary key (store_id, order_id),
  constraint awaited_payments_order foreign key (store_id, order_id) references orders on delete cascade
);

-- Search ------------------------------------------------------------------------------------------

-- What orders, products and customers are found by, a row each, which the service writes with the record
-- (src/search). `text` has two lines of words, each after a blank. `pieces` are hashes of parts of the words,
-- mixed with the store; the index reads them. pg_trgm does not do: LIKE is not leakproof, so with row-level
-- security no trigram index is used for it; it recognizes only the letters of the database's locale; and it
-- has no trigrams for names of two characters, which are common in much of Asia.
create table search_documents (
  store_id uuid not null,
  order_id bigint,
  product_id uuid,
  customer_id bigint,
  -- The order whose tracking number this is: with a row of its own, the rest need not enter the index again.
  tracking_of bigint,
  text text not null,
  pieces integer[] not null,
  constraint search_documents_order foreign key (store_id, order_id) references orders on delete cascade,
  constraint search_documents_tracking foreign key (store_id, tracking_of) references orders
    on delete cascade,
  constraint search_documents_product foreign key (store_id, product_id) references products
    on delete cascade,
  constraint search_documents_customer foreign key (store_id, customer_id) references customers
    on delete cascade,
  check (num_nonnulls(order_id, product_id, customer_id, tracking_of) = 1)
);
create unique index search_documents_of_order on search_documents (store_id, order_id)
  where order_id is not null;
create unique index search_documents_of_tracking on search_documents (store_id, tracking_of)
  where tracking_of is not null;
create unique index search_documents_of_product on search_documents (store_id, product_id)
  where product_id is not null;
create unique index search_documents_of_customer on search_documents (store_id, customer_id)
  where customer_id is not null;
-- New documents are collected in the pending list and entered together; searches read it too. How long it may
-- be is a setting of the roles.
create index search_documents_found on search_documents using gin (pieces) with (fastupdate = on);

-- The records whose documents have all the pieces and match all the patterns and regular expressions, or have
-- the words joined to one; at most `most`. An order whose tracking number has all pieces of a word (each of
-- `tracking_words` is an array of them) is found by the text of both documents. It runs as the owner, because
-- neither @> nor LIKE is leakproof. The memory keeps the bitmap of the index exact: of an inexact one, the
-- pieces of every row are compared.
create function search_ids(store uuid, pieces integer[], patterns text[], numbers text[],
  joined_pieces integer[], joined text, tracking_words text[], most bigint)
returns table (order_id bigint, product_id uuid, customer_id bigint)
language plpgsql stable security definer rows 1000 set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off set work_mem = '64MB' as $$
begin
  if store is distinct from nullif(current_setting('shop.store_id', true), '')::uuid then return; end if;
  return query select d.order_id, d.product_id, d.customer_id from search_documents d
    where (d.pieces @> search_ids.pieces and d.text like all (patterns) and d.text ~ all (numbers)
        or d.pieces @> joined_pieces and d.text like joined)
      and d.store_id is not distinct from store
    union all
    select d.order_id, d.product_id, d.customer_id
    from search_documents t
    join search_documents d on d.store_id = t.store_id and d.order_id = t.tracking_of
    cross join lateral (select t.text || d.text as text) w
    where t.store_id = store and t.tracking_of in (
        select s.tracking_of from unnest(tracking_words) p (pieces) cross join lateral (
          select s.tracking_of from search_documents s
          where s.pieces @> p.pieces::integer[] and s.store_id is not distinct from store offset 0) s)
      and (w.text like all (patterns) and w.text ~ all (numbers) or w.text like joined)
      and (d.text like all (patterns) and d.text ~ all (numbers) or d.text like joined) is not true
    limit most;
end $$;

-- Sales -------------------------------------------------------------------------------------------
-- Sales per UTC day, so that get_analytics does not have to read all orders of a store. The triggers of
-- orders and their lines write them. There are no foreign keys to stores, because their check would slow
-- down every change of status.

create function sales_day(at timestamptz) returns date language sql immutable as $$
  select (at at time zone 'UTC')::date $$;

-- Orders by status, and their revenue. The figures of a day are the sum of its rows: a change of status only
-- inserts a row, so that writers never wait for each other. A job of the service adds the rows of a day up
-- (folded).
create table order_days (
  store_id uuid not null,
  day date not null,
  id bigint generated always as identity,
  pending integer not null,
  processing integer not null,
  shipped integer not null,
  delivered integer not null,
  cancelled integer not null,
  revenue numeric not null,
  folded boolean not null default false,
  primary key (store_id, day, id)
);
create index order_days_unfolded on order_days (store_id, day) where not folded;

-- Adds an entry for an order that changes from one status to another; null means no status.
create function enter_order(store uuid, on_day date, leaving text, entering text, amount numeric) returns void
language plpgsql as $$ begin
  insert into order_days (store_id, day, pending, processing, shipped, delivered, cancelled, revenue)
  values (store, on_day,
    (entering is not distinct from 'PENDING')::int - (leaving is not distinct from 'PENDING')::int,
    (entering is not distinct from 'PROCESSING')::int - (leaving is not distinct from 'PROCESSING')::int,
    (entering is not distinct from 'SHIPPED')::int - (leaving is not distinct from 'SHIPPED')::int,
    (entering is not distinct from 'DELIVERED')::int - (leaving is not distinct from 'DELIVERED')::int,
    (entering is not distinct from 'CANCELLED')::int - (leaving is not distinct from 'CANCELLED')::int,
    amount);
end $$;

-- What each product sold, in the same way.
create table product_days (
  store_id uuid not null,
  day date not null,
  id bigint generated always as identity,
  product_id text not null,
  title text not null,
  quantity bigint not null,
  revenue numeric not null,
  folded boolean not null default false,
  primary key (store_id, day, id)
);
create index product_days_unfolded on product_days (store_id, day) where not folded;
create index product_days_age on product_days (day);

-- Adds the lines of an order with the sign 1, or takes them away with -1.
create function enter_lines(store uuid, order_number bigint, on_day date, sign integer) returns void
language plpgsql as $$ begin
  insert into product_days (store_id, day, product_id, title, quantity, revenue)
  select store, on_day, i.product_id, i.title, sign * i.quantity, i.price::numeric * (sign * i.quantity)
  from order_items i where i.store_id = store and i.order_id = order_number;
end $$;


-- Bonus -------------------------------------------------------------------------------------------

-- A store's settings of bonus, referral and cashback; null is the default.
create table monetization (
  store_id uuid primary key references stores on delete cascade,
  bonus json,
  referral json,
  cashback json,
  updated_at timestamptz(3) not null
);

-- The ledger of bonus, from which a customer's balance follows (docs/behaviour.md §6.5).
create table bonus_entries (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  customer_id bigint not null,
  delta numeric(20,2) not null check (delta <> 0),
  balance_after numeric(20,2) not null check (balance_after >= 0),
  kind text not null check (kind in ('adjustment', 'cashback', 'referral_join', 'referral_order', 'spend',
    'refund', 'cashback_reversal', 'cashback_return', 'cashback_correction', 'referral_reversal',
    'referral_return', 'debt', 'debt_settled')),
  reason text,
  order_id bigint,
  referred_id bigint,
  rules json,
  created_at timestamptz(3) not null,
  actor_name text,
  primary key (store_id, id),
  constraint bonus_entries_customer foreign key (store_id, customer_id) references customers,
  constraint bonus_entries_order foreign key (store_id, order_id) references orders
    on delete set null (order_id)
);
-- Each rule rewards an order only once, even if its status changes back and forth (docs/behaviour.md §6.3,
-- §6.4).
create unique index bonus_entries_award_key on bonus_entries (store_id, order_id, kind)
  where kind in ('cashback', 'referral_order');
create index bonus_entries_of_customer on bonus_entries (store_id, customer_id, id desc);
create index bonus_entries_of_order on bonus_entries (store_id, order_id) where order_id is not null;
create index bonus_entries_of_referral on bonus_entries (store_id, referred_id) where referred_id is not null;


-- Marketing ---------------------------------------------------------------------------------------

-- Promocodes. They are found regardless of case (docs/behaviour.md §1.3) by `code_key`, which the service
-- writes: lower() recognizes only the letters of the database's locale, and is not leakproof, so with
-- row-level security no index on it would be used.
create table promocodes (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  code text not null,
  code_key text not null,
  discount_type text not null check (discount_type in ('PERCENTAGE', 'FIXED_AMOUNT')),
  discount_value numeric not null check (discount_value > 0),
  expires_at timestamptz(3),
  max_uses bigint check (max_uses > 0),
  used_count bigint not null default 0 check (used_count >= 0),
  is_active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint promocodes_code_key unique (store_id, code_key)
);
-- For a search by the beginning of a code: the unique index sorts by the database's locale, in which codes
-- with the same beginning are not a range.
create index promocodes_by_code on promocodes (store_id, code_key text_pattern_ops);

-- Contests. Counts are bigints, because they may be any integers that JSON can represent exactly.
create table contests (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  title text not null,
  slug text not null,
  description text,
  button_text text,
  start_date timestamptz(3) not null,
  end_date timestamptz(3) not null,
  max_participants bigint check (max_participants > 0),
  prize_description text,
  promo_code text,
  rules text,
  bonus_reward bigint check (bonus_reward >= 0),
  status text not null check (status in ('DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint contests_slug_key unique (store_id, slug),
  constraint contests_dates check (start_date < end_date)
);
create index contests_of_status on contests (store_id, status, id);

-- Who takes part in a contest.
create table contest_participants (
  store_id uuid not null,
  contest_id uuid not null,
  customer_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (store_id, contest_id, customer_id),
  constraint contest_participants_contest foreign key (store_id, contest_id) references contests
    on delete cascade,
  constraint contest_participants_customer foreign key (store_id, customer_id) references customers
    on delete cascade
);
create index contest_participants_of_customer on contest_participants (store_id, customer_id);

-- Messages to many customers. The lease shows that a call is sending the campaign; a call that has died no
-- longer renews it.
create table campaigns (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  name text not null,
  text text not null,
  image_url text,
  picture_refused text,
  button_text text,
  button_url text,
  audience json not null,
  recipient_count integer not null,
  status text not null default 'sending' check (status in ('sending', 'finished')),
  idempotency_key text,
  input_hash text not null,
  actor text,
  lease_token uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (store_id, id),
  constraint campaigns_idempotency_key unique (store_id, idempotency_key)
);
create index campaigns_age on campaigns (created_at);

-- The outcome for each recipient, so that after a crash it is known who has got the message
-- (docs/behaviour.md §6.8).
create table campaign_recipients (
  store_id uuid not null,
  campaign_id uuid not null,
  customer_id bigint not null,
  status text not null default 'pending'
    check (status in ('pending', 'sending', 'sent', 'failed', 'blocked')),
  reason text,
  detail text,
  sent_at timestamptz(3),
  -- The recipient's own text, where the texts of a campaign differ.
  text text,
  primary key (store_id, campaign_id, customer_id),
  constraint campaign_recipients_campaign foreign key (store_id, campaign_id) references campaigns
    on delete cascade,
  constraint campaign_recipients_customer foreign key (store_id, customer_id) references customers
    on delete cascade
);
create index campaign_recipients_of_customer on campaign_recipients (store_id, customer_id);


-- Settings ----------------------------------------------------------------------------------------
-- A store has at most one row in each of these. A null column was never set, which means the default.

-- The general settings of the storefront.
create table store_settings (
  store_id uuid primary key references stores on delete cascade,
  title text,
  name text,
  description text,
  keywords text,
  logo_url text,
  dark_logo_url text,
  updated_at timestamptz(3) not null
);

-- The bot of a store. A bot belongs to one store (docs/behaviour.md §6.14). Bots that take no shipping
-- queries are registered again when these are first needed.
create table bots (
  store_id uuid primary key references stores on delete cascade,
  bot_id bigint not null,
  username text not null,
  sealed_token text not null,
  sealed_webhook_secret text not null,
  connected_at timestamptz(3) not null,
  takes_shipping_queries boolean not null default false,
  -- Whether the owner has set a main Mini App in the messenger.
  has_main_app boolean not null default false,
  opens text not null default 'shop' check (opens in ('shop', 'app', 'nothing')),
  app_url text check ((app_url is null) = (opens <> 'app')),
  menu_button text not null default 'failed' check (menu_button in ('set', 'other', 'failed', 'not_https')),
  menu_detail text
);
create unique index bots_one_store on bots (bot_id);

-- The calls that are connecting a bot. One of each store, and of them one that has the bot's token.
create table bot_claims (
  store_id uuid not null references stores on delete cascade,
  bot_id bigint not null,
  holder uuid not null,
  is_proven boolean not null default false,
  ends_at timestamptz(3) not null,
  primary key (store_id, bot_id)
);
create unique index bot_claims_one_store on bot_claims (bot_id) where is_proven;
create index bot_claims_by_end on bot_claims (ends_at);

-- The messages that the store has changed. What it has not set itself is the default, in its language.
create table bot_messages (
  store_id uuid not null references stores on delete cascade,
  kind text not null check (kind in ('welcome', 'placed', 'paid', 'shipped', 'delivered', 'cancelled')),
  -- Whether it is sent; the welcome and the shipped message always are.
  enabled boolean not null default false,
  -- The fields that the store has set.
  own text[] not null default '{text,imageUrl,buttonText}',
  text text,
  image_url text,
  button_text text,
  updated_at timestamptz(3) not null,
  -- What the messenger said of the picture, if it refused it the last time.
  picture_refused text,
  primary key (store_id, kind)
);

-- The checkout. The settings of payment buttons are masked in `fields` and sealed beside it.
create table checkout_configurations (
  store_id uuid primary key references stores on delete cascade,
  mode text check (mode in ('manual', 'native_payments', 'crypto')),
  fields json,
  filters json,
  updated_at timestamptz(3) not null,
  sealed_secrets text,
  is_unsealed boolean not null default false
);

-- Payment providers. What callers may see of the secrets (the last characters of the token, masked
-- metadata) is stored apart, so that secrets are not opened to read a provider.
create table payment_providers (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  provider_name text not null,
  sealed_token text,
  token_hint text,
  is_test_mode boolean not null,
  is_active boolean not null,
  supported_currencies text[] not null check (cardinality(supported_currencies) > 0),
  metadata json,
  sealed_metadata text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id)
);

-- What native invoices ask the buyer for, and the tips.
create table invoice_field_configs (
  store_id uuid primary key references stores on delete cascade,
  need_name boolean,
  need_phone_number boolean,
  need_email boolean,
  need_shipping_address boolean,
  is_flexible boolean,
  max_tip_amount integer check (max_tip_amount between 1 and 2000000000),
  suggested_tip_amounts integer[],
  updated_at timestamptz(3) not null
);


-- Webhooks (docs/behaviour.md §7, §14) ------------------------------------------------------------

-- Transaction numbers increase only within one server, so each server on which the database is restored
-- begins a new epoch. The epoch and the server are stored as functions, so that dumps include them,
-- statements read them at no cost, and plans are updated with them.
create function order_event_epoch() returns integer language sql stable parallel safe as $$ select 1 $$;
do $$ begin
  execute format('create function order_event_server() returns text language sql stable parallel safe as %L',
    format('select %L', (select system_identifier::text from pg_control_system())));
end $$;

create function order_event_id_at(at timestamptz) returns uuid language sql stable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

-- The events of orders, even if the store has no webhook. The order of the feed is (epoch, xid, id), because
-- readers never pass the number of a transaction that is still under way. The body is bytea, because the same
-- bytes must be signed and sent on every attempt, and jsonb reorders keys. The table is partitioned by month,
-- according to the time in the version 7 UUID: so its key is that of the delivery, and events older than 30
-- days are dropped with their partition. There is no foreign key to stores, whose check, with its lock on the
-- row of the store, would slow down every change of an order. `request_id` is that of the call that made the
-- change.
create table order_events (
  store_id uuid not null,
  id uuid not null,
  epoch integer not null default order_event_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  order_id bigint,
  event text not null,
  body bytea not null,
  created_at timestamptz(3) not null,
  request_id text,
  primary key (store_id, id)
) partition by range (id);
create index order_events_feed on order_events (store_id, epoch, xid, id);
create index order_events_of_order on order_events (store_id, order_id);

-- Events that deliveries still refer to when their month is dropped, and those of a time without a partition.
create table order_events_default partition of order_events default;

-- Begins an epoch of both feeds, after rows of another server were loaded.
create function begin_order_event_epoch() returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  last integer;
begin
  lock table order_events, record_changes in access exclusive mode;
  alter table order_events no force row level security;
  alter table record_changes no force row level security;
  select max(e.epoch) into last from (
    select max(epoch) as epoch from order_events union all select max(epoch) from record_changes) e;
  alter table order_events force row level security;
  alter table record_changes force row level security;
  execute format(
    'create or replace function order_event_epoch() returns integer language sql stable parallel safe as %L',
    'select ' || greatest(coalesce(last, 0), order_event_epoch()) + 1);
  execute format(
    'create or replace function order_event_server() returns text language sql stable parallel safe as %L',
    format('select %L', (select system_identifier::text from pg_control_system())));
end $$;

-- Begins an epoch if the database is on another server. `shop recovered` begins one where the server was
-- recovered to an earlier moment, and puts '.' and the epoch behind the server's identifier, so that readers
-- of changes start anew. Like the next one, it runs as the owner of the
-- tables, because only the owner may do this.
create function renew_order_event_epoch() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('order_events', 0));
  if split_part(order_event_server(), '.', 1)
      <> (select system_identifier::text from pg_control_system()) then
    perform begin_order_event_epoch();
  end if;
end $$;

-- Creates the partitions of the next months and drops those of old ones. If a lock is not available soon, the
-- next call tries again, which is early enough because partitions are created two months ahead.
create function tend_order_events(kept interval) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  this_month timestamp := date_trunc('month', now() at time zone 'UTC');
  first_month timestamp := date_trunc('month', (now() - kept) at time zone 'UTC');
  month timestamp;
  part text;
  span text;
  is_made boolean := false;
begin
  perform pg_advisory_xact_lock(hashtextextended('order_events', 0));
  perform set_config('lock_timeout', '2s', true);
  for month in select generate_series(first_month, this_month + interval '2 months', interval '1 month') loop
    part := 'order_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    span := format('from (%L) to (%L)', order_event_id_at(month at time zone 'UTC'),
      order_event_id_at((month + interval '1 month') at time zone 'UTC'));
    execute format('create table %I (like order_events including defaults)', part);
    lock table order_events_default in access exclusive mode;
    alter table order_events_default no force row level security;
    execute format(
      'with moved as (delete from order_events_default where id >= %L and id < %L returning *)
       insert into %I select * from moved',
      order_event_id_at(month at time zone 'UTC'),
      order_event_id_at((month + interval '1 month') at time zone 'UTC'), part);
    alter table order_events_default force row level security;
    execute format('alter table order_events attach partition %I for values %s', part, span);
    is_made := true;
  end loop;
  if is_made then perform give_access(); end if;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'order_events'::regclass and c.relname ~ '^order_events_[0-9]{4}_[0-9]{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') < first_month
  loop
    lock table order_events, webhook_deliveries in access exclusive mode;
    execute format('alter table order_events detach partition %I', part);
    execute format('alter table %I no force row level security', part);
    alter table order_events no force row level security;
    alter table webhook_deliveries no force row level security;
    execute format('insert into order_events select e.* from %I e where exists (
      select from webhook_deliveries d where d.store_id = e.store_id and d.id = e.id)', part);
    alter table order_events force row level security;
    alter table webhook_deliveries force row level security;
    execute format('drop table %I', part);
  end loop;
end $$;

-- The last change of each record, for the feed of changes: a record that changes again moves to its end. The
-- order is (epoch, xid, record_id), as that of events. Only the transaction that holds the row of a record
-- writes its change, so nobody waits for anybody who would not wait anyway. There is no foreign key to stores
-- (as for events).
create table record_changes (
  store_id uuid not null,
  record_id text collate "C" not null,
  kind text not null,
  product_id text,
  change text not null check (change in ('created', 'updated', 'deleted')),
  at timestamptz(3) not null default now(),
  epoch integer not null default order_event_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  primary key (store_id, record_id)
) with (fillfactor = 80);
create index record_changes_feed on record_changes (store_id, kind, epoch, xid, record_id);
create index record_changes_age on record_changes (at);

-- What a transaction created and then updated is told as created. A store that is deleted tells nothing more.
create function note_change() returns trigger language plpgsql as $$
declare
  changed record;
  external text;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_op = 'DELETE' and not exists (select from stores where id = old.store_id) then return null; end if;
  if tg_argv[0] = 'product' then external := changed.product_id; end if;
  insert into record_changes as c (store_id, record_id, kind, product_id, change)
  values (changed.store_id, changed.id, tg_argv[0], external,
    case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end)
  on conflict (store_id, record_id) do update set kind = excluded.kind, product_id = excluded.product_id,
    change = case when c.xid = excluded.xid and c.change = 'created' and excluded.change = 'updated'
      then 'created' else excluded.change end,
    at = excluded.at, epoch = excluded.epoch, xid = excluded.xid;
  return null;
end $$;

-- A change is one of the version. So a product's are also those of its variants and of its stock, and what
-- only counts, like a visit, is none.
do $$
declare
  noted record;
begin
  for noted in select * from (values ('product', 'products'), ('brand', 'brands'),
    ('category', 'categories'), ('promocode', 'promocodes'), ('customer', 'customers')) as k (kind, name)
  loop
    execute format('create trigger record_changes after insert or delete on %I
      for each row when (not is_copying()) execute function note_change(%L)', noted.name, noted.kind);
    -- Those of products are noted by statement (products_changed).
    if noted.kind <> 'product' then
      execute format('create trigger record_changes_update after update on %I
        for each row when (old.updated_at <> new.updated_at) execute function note_change(%L)',
        noted.name, noted.kind);
    end if;
  end loop;
end $$;

-- The endpoint of a store. Its pace is stored, so that it survives restarts (docs/behaviour.md §7.8). The
-- secret before the last rotation also signs until `previous_until`, if that was asked for.
create table webhook_endpoints (
  store_id uuid primary key references stores on delete cascade,
  url text not null,
  sealed_secret text not null,
  paused_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  pace text not null default 'unknown' check (pace in ('unknown', 'prompt', 'slow', 'silent')),
  sealed_previous_secret text,
  previous_until timestamptz(3),
  -- Since when the URL is this one. What came of the attempts before says nothing of it.
  url_set_at timestamptz(3) not null default now()
);

-- The deliveries of events to the endpoint; the event with the same id has the body. `traceparent` is set if
-- the transaction is part of a trace, so that a later attempt in another process can continue it.
-- `request_id` is that of the call that queued it: the one that made the change, or that sent it again.
create table webhook_deliveries (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  failed_attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  lease_until timestamptz(3),
  lease_token uuid,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  traceparent text default nullif(current_setting('shop.traceparent', true), ''),
  request_id text,
  primary key (store_id, id)
) with (fillfactor = 80);
-- Due ones of a store, and those of all stores that have recently become due.
create index webhook_deliveries_due on webhook_deliveries (store_id, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_next on webhook_deliveries (next_attempt_at) where status = 'pending';
-- Pending ones without a failed attempt, which no other list has (docs/decisions/0012-due-stores.md).
create index webhook_deliveries_fresh on webhook_deliveries (store_id)
  where status = 'pending' and failed_attempts = 0;
create index webhook_deliveries_failed on webhook_deliveries (store_id, id) where status = 'failed';
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- All attempts of a delivery, each with the delivery's `request_id` at that time.
create table webhook_attempts (
  store_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response text,
  request_id text,
  primary key (store_id, delivery_id, id),
  constraint webhook_attempts_delivery foreign key (store_id, delivery_id) references webhook_deliveries
    on delete cascade
);
-- Whether deliveries arrive: the newest that succeeded, and those that failed since. Ids rise with time.
create index webhook_attempts_arrived on webhook_attempts (store_id, id) where error is null;
create index webhook_attempts_failed on webhook_attempts (store_id, id) where error is not null;

-- The stores with deliveries to retry, each with the time before which there is nothing to attempt
-- (docs/decisions/0012-due-stores.md).
create table webhook_due_stores (
  store_id uuid primary key references stores on delete cascade,
  due_at timestamptz(3) not null
) with (fillfactor = 70);
create index webhook_due_stores_due on webhook_due_stores (due_at);


-- Notices of new orders ---------------------------------------------------------------------------

-- Chats with the store's bot in which a member is told of new orders. `code_hash` is of the link that links
-- one, `blocked_at` says why it has ended. It does not depend on sessions, but ends with the password under
-- which it was linked. It does not go along with a store either: its person chose it in this installation.
create table notice_chats (
  store_id uuid not null,
  user_id uuid not null,
  language text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  chat_id bigint,
  bot_id bigint,
  linked_at timestamptz(3),
  last_sent_at timestamptz(3),
  blocked_at timestamptz(3),
  primary key (store_id, user_id),
  constraint notice_chats_member foreign key (store_id, user_id) references store_members on delete cascade
);
create index notice_chats_of_user on notice_chats (user_id);

-- The last event that was looked at for notices. Like a chat, it stays in its installation.
create table notice_cursors (
  store_id uuid primary key references stores on delete cascade,
  epoch integer not null,
  xid xid8 not null,
  id uuid not null,
  -- When the first member wanted to be told: what was ordered before is not told.
  began_at timestamptz(3)
);


-- Audit -------------------------------------------------------------------------------------------

-- Who did what, when and by which transport (docs/behaviour.md §6.10).
create table audit_log (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  operation text not null,
  transport text not null,
  action text,
  target text,
  input json not null,
  changes json,
  outcome text not null,
  request_id text not null,
  undone_at timestamptz(3),
  primary key (store_id, id)
);
create index audit_log_age on audit_log (at);
create index audit_log_of_orders on audit_log (store_id, target) where target like 'order:%';
-- Whether an order has been refunded before.
create index audit_log_refunds on audit_log (store_id, target) where operation = 'refund_order';
-- The filters by record, kind of record, person and refusals. None has the rows of tokens about orders, which
-- are most of the log.
create index audit_log_of_targets on audit_log (store_id, target) where target not like 'order:%';
create index audit_log_of_kinds on audit_log (store_id, split_part(target, ':', 1), id)
  where target not like 'order:%';
create index audit_log_of_people on audit_log (store_id, actor_id, id) where actor_kind = 'user';
create index audit_log_refused on audit_log (store_id, id) where outcome = 'forbidden';

-- What undoing a change needs and its audit row does not have whole, for 30 days. Beyond the bounds of the
-- store, the values of the oldest are empty.
create table kept_changes (
  store_id uuid not null,
  activity_id uuid not null,
  actor text not null,
  sealed_values text not null,
  bytes integer not null,
  kept_at timestamptz(3) not null,
  primary key (store_id, activity_id),
  constraint kept_changes_activity foreign key (store_id, activity_id) references audit_log
    on delete cascade
);
create index kept_changes_age on kept_changes (kept_at);

-- Changes that were tried and may be applied, by whom and as what they turned out, for 10 minutes. One that
-- was begun in steps has an empty hash, and is gone on with for 24 hours.
create table previewed_changes (
  store_id uuid not null references stores on delete cascade,
  id uuid not null,
  actor text not null,
  operation text not null,
  sealed_input text not null,
  bytes integer not null,
  outcome_hash text not null,
  is_stepwise boolean not null,
  expires_at timestamptz(3) not null,
  -- Where a person has to approve it first, for 24 hours: whether they did, by what the same call is known
  -- again, what they read, and what applying it answered.
  approval text check (approval in ('waiting', 'applied', 'declined')),
  input_hash text,
  shown json,
  answer text,
  primary key (store_id, id)
);
create index previewed_changes_age on previewed_changes (expires_at);

-- The results of calls with an Idempotency-Key, compressed, which are returned again if the actor repeats the
-- call.
create table idempotency_keys (
  store_id uuid not null references stores on delete cascade,
  key text not null,
  operation text not null,
  input_hash text not null,
  created_at timestamptz(3) not null,
  answer bytea,
  actor text not null,
  primary key (store_id, actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);


select give_access();
select tend_order_events('31 days');
