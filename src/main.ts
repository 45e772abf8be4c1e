import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigurationError, loadConfig } from './platform/config/config.js';
import { readConfig, readEnvFile } from './platform/config/environment.js';
import { createLogger } from './platform/logging/logger.js';
import { startFailure, StoppedEarly } from './start-failure.js';

async function main(): Promise<void> {
  if (cluster.isWorker) return run(ownConfig());
  const given = new Set(Object.keys(process.env));
  const config = readConfig();
  await refuseTakenPort(config);
  if (config.processes === 1) return run(config);
  // The child processes read .env themselves, so that a reload uses its present contents.
  for (const name of Object.keys(process.env)) if (!given.has(name)) delete process.env[name];
  const { superviseProcesses } = await import('./processes/supervise-processes.js');
  await superviseProcesses(config, createLogger(config.logLevel));
}

async function run(config: Config): Promise<void> {
  const { serve } = await import('./serve.js');
  await serve(config, createLogger(config.logLevel));
}

/**
 * The configuration of a child process. Its parent has already reported misspelt variables, and handles
 * SIGHUP.
 */
function ownConfig(): Config {
  process.on('SIGHUP', () => undefined);
  readEnvFile();
  return loadConfig();
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
