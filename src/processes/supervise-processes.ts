import type { Config } from '../platform/config/config.js';
import type { Logger } from '../platform/logging/logger.js';
import { openRuntime } from '../runtime.js';
import { Supervisor } from './supervisor.js';

/**
 * Runs the service in several processes. This process runs the embedded database: it starts before them and
 * stops after them.
 */
export async function superviseProcesses(config: Config, log: Logger): Promise<void> {
  const { processes, shutdownDelayMs } = config;
  const supervisor = new Supervisor({ processes, shutdownDelayMs, log });
  const opening = openRuntime(config, log);
  let ending: Promise<never> | null = null;
  const end = async (failed: boolean): Promise<never> => {
    const runtime = await opening.catch(() => null);
    const code = await supervisor.stop();
    await runtime?.close();
    return log.flush(() => process.exit(failed ? 1 : code)) as never;
  };
  const stop = (signal: string) => {
    if (!ending) log.info({ signal, processes }, 'stopping all processes');
    ending ??= end(false);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  process.on('SIGHUP', () => void supervisor.reload());
  const { watchDatabase } = await opening;
  watchDatabase(() => {
    log.fatal('the embedded database cannot be started again: the service ends');
    ending ??= end(true);
  });
  if (!ending && !(await supervisor.start())) ending ??= end(true);
}
