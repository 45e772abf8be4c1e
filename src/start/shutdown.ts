import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { Drain } from '../platform/http/drain.js';
import type { Runtime } from './runtime.js';

/**
 * The most milliseconds from closing the port to the end of the process, even if calls are still under way.
 */
const LIMIT_MS = 12_000;
/** The most milliseconds after that in which the embedded database is stopped. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * Stops the service at SIGTERM and SIGINT (docs/behaviour.md §16). The service is not ready from that moment
 * on, but the port stays open for a delay in which a load balancer can notice. Then no new calls are
 * accepted, and work that is under way is answered, delivered or released for others.
 */
export function stopOnSignal(app: INestApplication, { config, log, close }: Runtime): void {
  let isStopping = false;
  const exit = () => log.flush(() => process.exit());
  /** Calls that still wait for the embedded database fail when it stops. */
  const cutOff = async () => {
    process.exitCode = 1;
    await Promise.race([close().catch(() => undefined), sleep(CLOSE_LIMIT_MS)]);
    exit();
  };
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    const delay = config.shutdownDelayMs;
    log.info({ signal, delayMs: delay }, 'stopping');
    const late = setTimeout(() => {
      log.error('what was under way did not end in time');
      void cutOff();
    }, delay + LIMIT_MS);
    late.unref();
    app.get(Drain).begin();
    await sleep(delay);
    const closing = app.get(Drain).closePort(app.getHttpServer() as Server);
    await app.close();
    clearInterval(closing);
    await close();
    exit();
  };
  const fail = (error: unknown) => {
    log.error({ err: error }, 'the service did not stop cleanly');
    void cutOff();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop(signal).catch(fail));
}
