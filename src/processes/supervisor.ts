import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinFigures } from '../platform/observability/joined-figures.js';
import { Peer } from '../platform/peer.js';
import { MemoryThrottlerStorage } from '../platform/rate-limit/memory-storage.js';
import { countFor } from '../platform/rate-limit/parent-storage.js';
import type { Logger } from '../platform/logging/logger.js';

/**
 * How many milliseconds to wait before a process that ended by itself is restarted, by how often that has
 * happened.
 */
const RESTART_MS = [100, 500, 2_000, 5_000, 15_000, 30_000];
/** After a process has run for this long, its next restart is prompt again. */
const WELL_MS = 60_000;
/** How long to wait for the figures of a process before they are left out. */
const FIGURES_MS = 2_000;
/**
 * A stopping process ends by itself within SHUTDOWN_DELAY and 12 s. It is killed this long after
 * SHUTDOWN_DELAY.
 */
const KILL_MS = 15_000;

/** The least time in which a process that is replaced answers before it closes its port. */
const LEAVE_MS = 1_000;

/** A process that was started. */
interface Child {
  worker: Worker;
  peer: Peer;
  startedAt: number;
  /** Resolves to true when the process accepts calls, and to false if it ends before. */
  up: Promise<boolean>;
  isUp: boolean;
  ended: Promise<number>;
}

/** A slot for one process at a time. */
interface Place {
  number: number;
  child: Child | null;
  failures: number;
}

interface SupervisorOptions {
  processes: number;
  shutdownDelayMs: number;
  log: Logger;
}

/**
 * Runs several processes of the service on one machine, which share its port (SHOP_PROCESSES). It restarts
 * processes that end by themselves, replaces them one after the other without closing the port, and keeps
 * what they must share: budgets and figures.
 */
export class Supervisor {
  private readonly places: Place[];
  private readonly budgets = new MemoryThrottlerStorage();
  private restarts = 0;
  private isUp = false;
  private isStopping = false;
  private reloading: Promise<void> | null = null;
  private isReloadDue = false;

  constructor(private readonly options: SupervisorOptions) {
    this.places = Array.from({ length: options.processes }, (_, i) => ({
      number: i + 1,
      child: null,
      failures: 0,
    }));
  }

  /**
   * Resolves when all processes are up. @returns false if one did not start; that process has reported why
   */
  async start(): Promise<boolean> {
    // The first process starts alone, because it creates what a new installation needs.
    for (const group of [this.places.slice(0, 1), this.places.slice(1)]) {
      if (this.isStopping) return false;
      const started = await Promise.all(group.map((place) => this.fill(place).up));
      if (!started.every((isUp) => isUp)) return false;
    }
    for (const place of this.places) this.watch(place, place.child!);
    this.isUp = true;
    return true;
  }

  /** Replaces all processes one after the other. Each new process is up before the old one is stopped. */
  reload(): Promise<void> {
    if (!this.isUp) return Promise.resolve();
    this.isReloadDue = true;
    this.reloading ??= this.replaceAll().finally(() => (this.reloading = null));
    return this.reloading;
  }

  /**
   * Stops all processes, which first finish the calls that are under way. @returns the exit code of the
   * service
   */
  async stop(): Promise<number> {
    this.isStopping = true;
    const codes = await Promise.all(this.places.map(async ({ child }) => (child ? this.end(child) : 0)));
    return codes.some((code) => code !== 0) ? 1 : 0;
  }

  private async replaceAll(): Promise<void> {
    const { log } = this.options;
    while (this.isReloadDue && !this.isStopping) {
      this.isReloadDue = false;
      log.info(
        { processes: this.places.length },
        'reloading: the processes are replaced one after the other',
      );
      for (const place of this.places) {
        if (this.isStopping) return;
        const old = place.child;
        const next = this.fill(place);
        if (!(await next.up)) {
          // The next process would probably fail in the same way, so the old ones stay.
          place.child = old;
          log.error({ process: place.number }, 'a new process did not come up: the reload ends here');
          return;
        }
        this.watch(place, next);
        if (old) await this.replace(old);
      }
      log.info('reloaded');
    }
  }

  private fill(place: Place): Child {
    const worker = cluster.fork();
    const peer = new Peer(worker);
    const ended = once(worker, 'exit').then(([code]) => (code as number | null) ?? 1);
    const up = new Promise<boolean>((resolve) => {
      peer.on('up', () => resolve(true));
      void ended.then(() => resolve(false));
    });
    void ended.then(() => peer.end());
    peer.on('figures', () => this.figures());
    countFor(peer, this.budgets);
    const child: Child = { worker, peer, startedAt: performance.now(), up, isUp: false, ended };
    void up.then((isUp) => (child.isUp = isUp));
    return (place.child = child);
  }

  /** Starts another process in its place if it ends by itself. */
  private watch(place: Place, child: Child): void {
    void child.ended.then(async (code) => {
      if (this.isStopping || place.child !== child) return;
      const ranMs = Math.round(performance.now() - child.startedAt);
      place.failures = ranMs > WELL_MS ? 0 : place.failures;
      const delayMs = RESTART_MS[Math.min(place.failures++, RESTART_MS.length - 1)];
      const { signalCode } = child.worker.process;
      this.options.log.error(
        { process: place.number, code, signal: signalCode, ranMs, delayMs },
        'a process has ended and is restarted',
      );
      place.child = null;
      await sleep(delayMs);
      // A reload may have filled the place in the meantime.
      if (this.isStopping || place.child) return;
      this.restarts++;
      this.watch(place, this.fill(place));
    });
  }

  /**
   * Stops a process that has a successor. Its answers end their connections for a while before it closes the
   * idle ones, because a caller may be sending its next call on one of those.
   */
  private async replace(old: Child): Promise<void> {
    if (this.options.shutdownDelayMs < LEAVE_MS) {
      await old.peer.ask('leave');
      await sleep(LEAVE_MS);
    }
    await this.end(old);
  }

  /** Stops a process. @returns its exit code */
  private async end({ worker, ended }: Child): Promise<number> {
    worker.process.kill('SIGTERM');
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), this.options.shutdownDelayMs + KILL_MS);
    return ended.finally(() => clearTimeout(timer));
  }

  /**
   * The joined figures of all processes that accept calls, which any of them answers at /metrics: one that
   * still starts is not ready, whatever it says.
   */
  private async figures(): Promise<string> {
    const asked = this.places.map(async ({ number, child }) => {
      const late = new Promise<null>((resolve) => setTimeout(resolve, FIGURES_MS, null).unref());
      const text = child?.isUp && (await Promise.race([child.peer.ask<string>('own figures'), late]));
      return text ? [{ process: number, text }] : [];
    });
    const joined = joinFigures((await Promise.all(asked)).flat());
    return (
      `${joined}\n# HELP shop_process_restarts_total Processes that ended by themselves and were ` +
      `restarted\n# TYPE shop_process_restarts_total counter\nshop_process_restarts_total ${this.restarts}\n`
    );
  }
}
