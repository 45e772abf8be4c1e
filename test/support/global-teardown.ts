import { rmSync } from 'node:fs';

export default async function teardown(): Promise<void> {
  const postgres = globalThis.testPostgres;
  if (!postgres) return;
  await postgres.server.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
}
