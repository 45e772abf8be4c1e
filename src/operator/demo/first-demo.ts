import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withProcessLock } from '#process-lock';
import { Stores } from '../../stores/stores.service.js';
import { keepDemoStore } from '../../platform/config/demo-store.js';
import type { Services } from '../cli/command.js';
import { DEMO_SHOPPER } from './people.js';
import { completeDemo, type DemoStore } from './seed-demo.js';

/**
 * Creates the demo store of a new installation, if there is no store, or if an earlier start was killed
 * before it had shown the tokens; a file in `dataDir` records that. Concurrent starts create only one.
 * @param show prints the demo store, or null if none was created. The demo store counts as created only after
 * that
 */
export async function offerDemo(
  app: Services,
  dataDir: string,
  show: (demo: DemoStore | null) => void,
): Promise<void> {
  const unshown = path.join(dataDir, 'demo.unshown');
  await withProcessLock(path.join(dataDir, 'demo.lock'), async () => {
    const isDue = existsSync(unshown) || (await app.get(Stores).list()).length === 0;
    if (!isDue) return show(null);
    writeFileSync(unshown, '');
    const demo = await completeDemo(app);
    keepDemoStore(dataDir, { storeId: demo.store.id, shopper: DEMO_SHOPPER });
    show(demo);
    rmSync(unshown);
  });
}
