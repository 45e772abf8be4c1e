import { existsSync, readFileSync } from 'node:fs';

/** The version of the service and of the documents that describe it (docs/behaviour.md §9). */
export const VERSION = '1.0.0';

/** Written by the build (scripts/built.mjs). */
const FILE = new URL('../../commit', import.meta.url);

/** The commit from which the service was built, or `unknown`. */
export const COMMIT = existsSync(FILE) ? readFileSync(FILE, 'utf8') : 'unknown';
