#!/bin/sh
# Runs once, when the database is created. Creates the role with which PgBouncer looks up the passwords of
# roles that connect, and grants it only that. The service creates its own two roles, so a list of users
# cannot be maintained by hand.
set -eu
psql --set ON_ERROR_STOP=1 --set "password=$PGBOUNCER_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role pgbouncer login password :'password';
-- A separate schema, because the service manages who may call the security definer functions in public.
create schema pgbouncer;
grant usage on schema pgbouncer to pgbouncer;
create function pgbouncer.password(name text) returns table (usename name, passwd text)
  language sql security definer set search_path = pg_catalog
  as 'select usename, passwd from pg_shadow where usename = $1';
revoke execute on function pgbouncer.password(text) from public;
grant execute on function pgbouncer.password(text) to pgbouncer;
SQL
