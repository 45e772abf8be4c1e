import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigurationError } from './platform/config/config.js';
import { readConfig } from './platform/config/environment.js';
import { createLogger } from './platform/logging/logger.js';
import { startFailure, StoppedEarly } from './start/start-failure.js';

async function main(): Promise<void> {
  const config = readConfig();
  await refuseTakenPort(config);
  const { serve } = await import('./start/serve.js');
  const { greet } = await import('./operator/demo/first-demo.js');
  await serve(config, createLogger(config.logLevel), greet);
}

/**
 * Refuses a port that is in use, the most common reason why the service does not start, before anything is
 * created or started.
 */
async function refuseTakenPort({ port, host }: Config): Promise<void> {
  const trial = createServer().listen(port, host);
  await once(trial, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'getaddrinfo') throw error;
    throw new ConfigurationError(`HOST: ${host} is neither an address of this machine nor a name of one`);
  });
  trial.close();
  await once(trial, 'close');
}

main().catch((error: unknown) => {
  if (error instanceof StoppedEarly) process.exit(0);
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
});
