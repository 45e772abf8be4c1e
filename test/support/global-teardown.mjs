import { rmSync } from 'node:fs';

export default async function teardown() {
  // Where files run in this process, and not in workers.
  await globalThis.endSharedApp?.();
  const postgres = globalThis.testPostgres;
  if (!postgres) return;
  await postgres.server.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
}
