import type { Server } from 'node:http';
import { createApp } from './app.setup.js';
import { seedDemo } from './demo/seed-demo.js';
import { greeting } from './demo/greeting.js';
import { ConfigurationError, loadConfig } from './platform/config/config.js';
import { keepHeapSmall } from './platform/heap.js';
import { createLogger } from './platform/logging/logger.js';
import { openRuntime } from './runtime.js';

/** However much is under way, the process is gone by then. */
const SHUTDOWN_MS = 12_000;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger(config.logLevel);
  const runtime = await openRuntime(config, log);
  const app = await createApp(runtime).catch(async (error: unknown) => {
    await runtime.close();
    throw error;
  });
  const server = app.getHttpServer() as Server;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    // Idle keep-alive connections would hold the server open; those that answer their last request become idle.
    server.close();
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(idle);
    await runtime.close();
    log.flush(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  await app.listen(config.port, config.host);
  const demo = runtime.embedded && runtime.isNew && config.nodeEnv !== 'production' ? await seedDemo(app) : null;
  keepHeapSmall();
  process.stdout.write(greeting(config, server, demo));
}

main().catch((error: NodeJS.ErrnoException) => {
  const message =
    error instanceof ConfigurationError
      ? error.message
      : `The service could not start: ${error.message || error.code || String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
