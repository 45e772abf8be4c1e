import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { Drain } from './platform/http/drain.js';
import type { Runtime } from './runtime.js';

/** However much is under way, the process is gone so many milliseconds after it has closed its port. */
const LIMIT_MS = 12_000;

/**
 * Stops at SIGTERM and SIGINT (docs/behaviour.md §16): not ready from that moment on, while the port stays open for as long as a
 * balancer takes to notice; then nothing new is accepted, and what is under way is answered, delivered or given back.
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal).catch(fail));
}
