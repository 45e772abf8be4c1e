import { rmSync } from 'node:fs';

export default async function teardown() {
  const postgres = globalThis.testPostgres;
  if (!postgres) return;
  await postgres.server.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
}
