#!/bin/sh
# PgBouncer reads its own password from a file. The file is kept in memory.
set -eu
printf '"pgbouncer" "%s"\n' "$PGBOUNCER_PASSWORD" > /run/pgbouncer/users.txt
exec pgbouncer /etc/pgbouncer/shop.ini
