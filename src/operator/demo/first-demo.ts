import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { withProcessLock } from '#process-lock';
import { Stores } from '../../stores/stores.service.js';
import { keepDemoStore } from '../../platform/config/demo-store.js';
import type { Services } from '../cli/command.js';
import type { Runtime } from '../../start/runtime.js';
import { greeting } from './greeting.js';
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

/** Prints that the service is up. A new installation gets a demo store, whose tokens are shown only now. */
export async function greet(app: INestApplication, { config, embedded }: Runtime): Promise<void> {
  const hasStores = await app.get(Stores).hasAny();
  const show = (demo: DemoStore | null) =>
    void process.stdout.write(greeting(config, app.getHttpServer() as Server, demo, hasStores));
  if (embedded && config.nodeEnv !== 'production') await offerDemo(app, config.dataDir, show);
  else show(null);
}
