import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { createApp } from './app.setup.js';
import { offerDemo } from './operator/demo/first-demo.js';
import { greeting } from './operator/demo/greeting.js';
import type { DemoStore } from './operator/demo/seed-demo.js';
import type { Config } from './platform/config/config.js';
import { keepHeapSmall } from './platform/heap.js';
import type { Logger } from './platform/logging/logger.js';
import { Peer } from './platform/peer.js';
import { openRuntime, type Runtime } from './runtime.js';
import { stopOnSignal } from './shutdown.js';
import { StoppedEarly } from './start-failure.js';

/** Runs the service in this process, the only one or one of several. Resolves once it is up. */
export async function serve(config: Config, log: Logger): Promise<void> {
  const early = heedEarlySignals(config);
  const parent = cluster.isWorker ? new Peer(process) : undefined;
  const runtime = { ...(await openRuntime(config, log)), parent };
  let app: INestApplication | undefined;
  try {
    early.check();
    app = await createApp(runtime);
    early.check();
    await app.listen(config.port, config.host);
    // Of several processes the first one speaks for all.
    if (!cluster.worker || cluster.worker.id === 1) await greet(app, runtime);
    keepHeapSmall();
    early.check();
  } catch (error) {
    // What was started for the service must not outlive it.
    await app?.close().catch(() => undefined);
    await runtime.close();
    throw error;
  }
  // In this order: a signal that arrives while nobody listens, be it for an instant, is lost.
  stopOnSignal(app, runtime);
  early.end();
  await parent?.ask('up');
}

/** A signal before the service is up ends the start at its next `check`, which lets it close what it has opened. */
function heedEarlySignals(config: Config): { check(): void; end(): void } {
  let isAsked = false;
  const stop = () => {
    // A start on a server of somebody else's has nothing to close.
    if (config.databaseUrl) process.exit(0);
    isAsked = true;
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return {
    check: () => {
      if (isAsked) throw new StoppedEarly();
    },
    end: () => void process.off('SIGTERM', stop).off('SIGINT', stop),
  };
}

/** Says that the service is up; a new installation gets a demo store, whose tokens are shown now and never again. */
async function greet(app: INestApplication, { config, embedded }: Runtime): Promise<void> {
  const show = (demo: DemoStore | null) => void process.stdout.write(greeting(config, app.getHttpServer() as Server, demo));
  if (embedded && config.nodeEnv !== 'production') await offerDemo(app, config.dataDir, show);
  else show(null);
}
