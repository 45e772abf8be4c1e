import { stopUnusedPostgres } from './embedded-postgres/embedded-postgres.js';
import { upgradeFolder } from './embedded-postgres/postgres-cluster.js';

/** `node left-behind.js DATA_DIR`: stops what a killed command has left behind. */
const [dataDir] = process.argv.slice(2);
for (const folder of [dataDir, upgradeFolder(dataDir)]) await stopUnusedPostgres(folder);
