#!/bin/sh
# Makes a backup of everything in the folder BACKUPS, and deletes there those older than BACKUPS_DAYS (14).
# If it fails it deletes nothing. Copy the files to another machine.
set -eu
node dist/src/cli.js backup --to "$BACKUPS/shop-$(date -u +%Y%m%dT%H%M%S)" --json
find "$BACKUPS" -name 'shop-*' -mtime "+${BACKUPS_DAYS:-14}" -delete
