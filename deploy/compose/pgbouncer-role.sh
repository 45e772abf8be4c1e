#!/bin/sh
# Once, when the database is made: the role that PgBouncer asks for the passwords of those who sign in, and all it may do.
# The service makes its own two roles, with random passwords, so no list of users could be kept by hand.
set -eu
psql --set ON_ERROR_STOP=1 --set "password=$PGBOUNCER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role pgbouncer login password :'password';
-- A schema of its own: functions in public that run as their owner are the service's, which looks after who may call them.
create schema pgbouncer;
grant usage on schema pgbouncer to pgbouncer;
create function pgbouncer.password(name text) returns table (usename name, passwd text)
  language sql security definer set search_path = pg_catalog
  as 'select usename, passwd from pg_shadow where usename = $1';
revoke execute on function pgbouncer.password(text) from public;
grant execute on function pgbouncer.password(text) to pgbouncer;
SQL
