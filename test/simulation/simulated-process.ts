import { Metrics } from '../../src/platform/observability/metrics.js';
import { type Clock } from '../../src/platform/clock.js';
import type { Logger } from '../../src/platform/logging/logger.js';
import type { Timers } from '../../src/platform/timers.js';
import { DeliveryMetrics } from '../../src/webhooks/delivery/figures/delivery-metrics.js';
import {
  Dispatcher,
  type DispatcherParts,
  type DispatcherSettings,
} from '../../src/webhooks/delivery/dispatcher.js';
import type { AttemptResult } from '../../src/webhooks/delivery/webhook-client.js';
import type { MemoryQueue } from './memory-queue.js';
import type { Random } from '../../src/operator/demo/random.js';
import type { World } from './world.js';

type QueuePort = DispatcherParts['queue'];

/** What goes wrong between a process and the world, as chances of each call or happening. */
export interface Faults {
  crash: number;
  /**
   * A call of the database whose request or whose answer is lost, and one that takes up to twenty seconds.
   */
  databaseLost: number;
  databaseLate: number;
}

export const NO_FAULTS: Faults = { crash: 0, databaseLost: 0, databaseLate: 0 };

export interface ProcessOptions {
  settings: DispatcherSettings;
  /** Milliseconds its clock is off. */
  skewMs: number;
  faults: () => Faults;
  post: (
    process: SimulatedProcess,
    url: string,
    headers: Record<string, string>,
    body: Buffer,
  ) => Promise<AttemptResult>;
  /** Stands between the dispatcher and its queue; a test that must find something breaks it here. */
  port?: (queue: QueuePort, memory: MemoryQueue) => QueuePort;
  onEnd: (process: SimulatedProcess) => void;
  /** It asks for deliveries at this moment. */
  onClaim: (process: SimulatedProcess) => void;
}

const metrics = new DeliveryMetrics(new Metrics());

/** One process that delivers: the real Dispatcher, in a world of simulated time, network and database. */
export class SimulatedProcess {
  readonly dispatcher: Dispatcher;
  isAlive = true;
  /** Timers and calls it waits for. */
  waiting = 0;
  /** What was wrong that was logged as such. */
  readonly errors: string[] = [];
  private frozenUntil = 0;
  private readonly bootedAt: number;
  private ids = 0;

  constructor(
    readonly name: string,
    private readonly world: World,
    private readonly random: Random,
    private readonly memory: MemoryQueue,
    private readonly options: ProcessOptions,
  ) {
    this.bootedAt = world.time - random.integer(0, 1_000_000);
    const queue = this.queue();
    this.dispatcher = new Dispatcher(options.settings, {
      queue: options.port?.(queue, memory) ?? queue,
      client: {
        post: (url, headers, body) => options.post(this, url, headers, body),
        close: async () => undefined,
      },
      secrets: { open: (sealed: string) => sealed.replace('sealed ', '') },
      clock: this.clock(),
      timers: this.timers(),
      newId: () => `${name} ${this.ids++}`,
      metrics,
      log: this.logger(),
    });
  }

  /** Ends it at once, wherever it is: nothing of it goes on, what it has sent may still arrive. */
  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.options.onEnd(this);
  }

  freeze(milliseconds: number): void {
    this.frozenUntil = this.world.time + milliseconds;
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    await this.dispatcher.beforeApplicationShutdown();
    this.crash();
  }

  /**
   * Lets something happen in this process after a time, unless it is cancelled or dead by then; a frozen one
   * sees it when it thaws.
   */
  in(milliseconds: number, work: () => void): () => void {
    let isOver = false;
    const over = () => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    this.waiting++;
    const happen = () => {
      if (isOver || !this.isAlive) return over();
      if (this.frozenUntil > this.world.time)
        return this.world.in(this.frozenUntil - this.world.time, happen);
      over();
      if (this.mayCrash()) return;
      work();
    };
    this.world.in(milliseconds, happen);
    return over;
  }

  private mayCrash(): boolean {
    if (this.isAlive && this.random.chance(this.options.faults().crash)) this.crash();
    return !this.isAlive;
  }

  private queue(): QueuePort {
    const { memory } = this;
    return {
      dueStores: (withinMs) => this.call(() => memory.dueStores(withinMs)),
      paces: (storeIds) => this.call(() => memory.paces(storeIds)),
      claim: (wanted, leaseMs) => {
        this.options.onClaim(this);
        return this.call(() => memory.claim(wanted, leaseMs));
      },
      record: (attempts, elapsed) => this.call(() => memory.record(attempts, elapsed)),
      release: (deliveries) => this.call(() => memory.release(deliveries)),
    };
  }

  /**
   * A statement's way to the database and its answer's way back. The process may die before, between and
   * after.
   */
  private call<Result>(apply: () => Result): Promise<Result> {
    const { random, world } = this;
    return new Promise((resolve, reject) => {
      if (this.mayCrash()) return;
      const { databaseLost, databaseLate } = this.options.faults();
      const isRequestLost = random.chance(databaseLost / 2);
      const isAnswerLost = random.chance(databaseLost / 2);
      const travel = () =>
        random.integer(0, 3) + (random.chance(databaseLate) ? random.integer(100, 20_000) : 0);
      const back = travel();
      world.in(travel(), () => {
        const answer = isRequestLost ? undefined : apply();
        const fail = isRequestLost || isAnswerLost;
        this.in(back, () =>
          fail ? reject(new Error('the connection was lost')) : resolve(answer as Result),
        );
      });
    });
  }

  private clock(): Clock {
    const { world, bootedAt, options } = this;
    return {
      now: () => new Date(Date.UTC(2026, 0, 1) + world.time + options.skewMs),
      elapsed: () => world.time - bootedAt,
    };
  }

  private timers(): Timers {
    const every = (milliseconds: number, work: () => void) => {
      let cancel = this.in(milliseconds, function again() {
        cancel = repeat(again);
        work();
      });
      const repeat = (again: () => void) => this.in(milliseconds, again);
      return () => cancel();
    };
    return {
      after: (milliseconds, work) => this.in(milliseconds, work),
      every,
      sleep: (milliseconds) => new Promise((resolve) => void this.in(milliseconds, resolve)),
      nextTurn: () => new Promise((resolve) => void this.in(0, resolve)),
    };
  }

  private logger(): Logger {
    const error = (_values: unknown, text: string) => void this.errors.push(text);
    const nothing = () => undefined;
    return { info: nothing, warn: nothing, error } as unknown as Logger;
  }
}
