import { PgBouncer, poolModes } from '../support/servers/pgbouncer.js';

/**
 * Imported ahead of a suite, it lets that suite's applications reach the tests' database through PgBouncer,
 * in the mode that shares connections most, and only what listens past it.
 */
let pooler: PgBouncer;

beforeAll(async () => {
  const { TEST_OWNER_URL, TEST_STORE_URL, TEST_SYSTEM_URL } = process.env as Record<string, string>;
  pooler = await PgBouncer.start(TEST_OWNER_URL, poolModes().at(-1)!);
  Object.assign(process.env, {
    TEST_STORE_URL: pooler.through(TEST_STORE_URL),
    TEST_SYSTEM_URL: pooler.through(TEST_SYSTEM_URL),
    TEST_DIRECT_URL: TEST_SYSTEM_URL,
  });
});
afterAll(() => pooler.stop());
