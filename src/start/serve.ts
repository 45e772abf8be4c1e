import type { INestApplication } from '@nestjs/common';
import { createApp } from './app.setup.js';
import type { Config } from '../platform/config/config.js';
import type { Logger } from '../platform/logging/logger.js';
import { passwordJudge } from '../people/accounts/password.js';
import { openRuntime, type Runtime } from './runtime.js';
import { stopOnSignal } from './shutdown.js';
import { StoppedEarly } from './start-failure.js';

/**
 * Runs the service in this process. Resolves when the service is up.
 * @param greet tells the operator so
 */
export async function serve(
  config: Config,
  log: Logger,
  greet: (app: INestApplication, runtime: Runtime) => Promise<void>,
): Promise<void> {
  const early = handleEarlySignals(config);
  const runtime = await openRuntime(config, log);
  runtime.watchDatabase(() => void giveUp(runtime));
  let app: INestApplication | undefined;
  try {
    early.check();
    app = await createApp(runtime);
    early.check();
    // Nobody is to wait for it, and a developer waits for every start.
    if (config.nodeEnv === 'production') await passwordJudge();
    await app.listen(config.port, config.host);
    await greet(app, runtime);
    early.check();
  } catch (error) {
    // Everything that was started for the service must end with it.
    await app?.close().catch(() => undefined);
    await runtime.close();
    throw error;
  }
  // The new handlers are installed before the early ones are removed, because a signal without a handler
  // would end the process at once.
  stopOnSignal(app, runtime);
  early.end();
}

/** Ends the process at once, because without its database it can finish nothing. */
async function giveUp({ log, close }: Runtime): Promise<void> {
  log.fatal('the embedded database cannot be started again: the service ends');
  await close();
  log.flush(() => process.exit(1));
}

/**
 * Handles signals that arrive before the service is up: the start ends at its next `check`, and then closes
 * everything it has opened.
 */
function handleEarlySignals(config: Config): { check(): void; end(): void } {
  let isStopRequested = false;
  const stop = () => {
    // With an external database there is nothing to close.
    if (config.databaseUrl) process.exit(0);
    isStopRequested = true;
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return {
    check: () => {
      if (isStopRequested) throw new StoppedEarly();
    },
    end: () => void process.off('SIGTERM', stop).off('SIGINT', stop),
  };
}
