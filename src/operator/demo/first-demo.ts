import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withProcessLock } from '../../embedded-postgres/process-lock.js';
import { Stores } from '../../stores/stores.service.js';
import type { Services } from '../cli/services.js';
import { completeDemo, type DemoStore } from './seed-demo.js';

/**
 * Gives a new installation its demo store: when no store exists yet, or when an earlier start was killed before it had shown the
 * tokens, which a file in `dataDir` remembers. Starts at the same time make one between them.
 * @param show prints the demo store, null when none was made; only afterwards it counts as made
 */
export async function offerDemo(app: Services, dataDir: string, show: (demo: DemoStore | null) => void): Promise<void> {
  const unshown = path.join(dataDir, 'demo.unshown');
  await withProcessLock(path.join(dataDir, 'demo.lock'), async () => {
    const isDue = existsSync(unshown) || (await app.get(Stores).list()).length === 0;
    if (!isDue) return show(null);
    writeFileSync(unshown, '');
    show(await completeDemo(app));
    rmSync(unshown);
  });
}
