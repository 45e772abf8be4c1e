#!/bin/sh
# PgBouncer reads its own password from a file; the file stands in memory.
set -eu
printf '"pgbouncer" "%s"\n' "$PGBOUNCER_PASSWORD" > /run/pgbouncer/users.txt
exec pgbouncer /etc/pgbouncer/shop.ini
