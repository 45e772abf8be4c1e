import { stopUnusedPostgres } from './embedded-postgres.js';

/**
 * `node stop-unused.js DATA_DIR [MILLISECONDS]`: stops what a killed command has left behind, or what
 * nobody has used for so long.
 */
const [dataDir, forMs = '0'] = process.argv.slice(2);
await stopUnusedPostgres(dataDir, Number(forMs));
