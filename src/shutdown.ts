import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { Drain } from './platform/http/drain.js';
import type { Runtime } from './runtime.js';

/**
 * The most milliseconds from closing the port to the end of the process, even if calls are still under way.
 */
const LIMIT_MS = 12_000;

/**
 * Stops the service at SIGTERM and SIGINT (docs/behaviour.md §16). The service is not ready from that moment
 * on, but the port stays open for a delay in which a load balancer can notice. Then no new calls are
 * accepted, and work that is under way is answered, delivered or released for others.
 */
export function stopOnSignal(app: INestApplication, { config, log, close }: Runtime): void {
  let isStopping = false;
  const exit = (code: number) => log.flush(() => process.exit(code));
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    const delay = config.shutdownDelayMs;
    log.info({ signal, delayMs: delay }, 'stopping');
    const late = setTimeout(() => {
      log.error('what was under way did not end in time');
      exit(1);
    }, delay + LIMIT_MS);
    late.unref();
    app.get(Drain).begin();
    await sleep(delay);
    const closing = app.get(Drain).closePort(app.getHttpServer() as Server);
    await app.close();
    clearInterval(closing);
    await close();
    exit(0);
  };
  const fail = (error: unknown) => {
    log.error({ err: error }, 'the service did not stop cleanly');
    exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop(signal).catch(fail));
}
