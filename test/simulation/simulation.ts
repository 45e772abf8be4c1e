import { Invariants, type Post } from './invariants.js';
import { MemoryQueue } from './memory-queue.js';
import { type Faults, NO_FAULTS, type ProcessOptions, SimulatedProcess } from './simulated-process.js';
import type { AttemptResult } from '../../src/webhooks/delivery/webhook-client.js';
import { type Mode, plan, type Plan, type Shop, SETTINGS } from './plan.js';
import { Random } from '../../src/operator/demo/random.js';
import { World } from './world.js';

/**
 * Times of the simulation, in milliseconds. After CALM_MS nothing goes wrong any more, and endpoints that
 * hung answer.
 */
const CALM_MS = 45_000;
const END_MS = CALM_MS + 150_000;
/**
 * A change of a store whose endpoint answers is sent this soon when its doorbell was heard, and after a look
 * when it was not.
 */
const HEARD_MS = 1_500;
const FOUND_MS = 2_600;
/**
 * A transaction this long is missed by the looks for what came due just now, and found by the next look for
 * everything.
 */
const LONG_MS = 3_000;
const SWEPT_MS = FOUND_MS + 5_000;
/** What was due at the start flows, however much it is. */
const BACKLOG_MS = 5_000;
/** What a quiet process waits with: its looks, and a look that may be under way. */
const QUIET_WAITS = 3;

export interface Outcome {
  seed: number;
  broken: string[];
  changes: number;
  posts: number;
  steps: number;
  deaths: number;
  /** Milliseconds of simulated time. */
  time: number;
}

/**
 * One seed: a few processes, their endpoints and everything that goes wrong, until all is quiet. The same
 * seed is the same run.
 */
export async function simulate(seed: number, port?: ProcessOptions['port']): Promise<Outcome> {
  return new Simulation(seed, port).run();
}

class Simulation {
  private readonly world = new World();
  private readonly random: Random;
  private readonly plan: Plan;
  private readonly invariants: Invariants;
  private readonly memory: MemoryQueue;
  private readonly processes = new Set<SimulatedProcess>();
  private readonly secrets = new Map<string, { secret: string; until: number }[]>();
  private started = 0;
  private claims = 0;
  private deaths = 0;
  private changes = 0;
  private steps = 0;
  private isOver = false;

  constructor(
    private readonly seed: number,
    private readonly port: ProcessOptions['port'],
  ) {
    this.random = new Random(seed);
    this.plan = plan(this.random);
    const now = () => this.world.time;
    this.invariants = new Invariants({ ...SETTINGS, isFaultless: this.plan.isFaultless }, now);
    this.memory = new MemoryQueue(now, this.invariants);
    this.invariants.memory = this.memory;
  }

  async run(): Promise<Outcome> {
    for (const shop of this.plan.shops) this.open(shop);
    for (let i = 0; i < this.plan.processes; i++) this.startProcess();
    this.scheduleFaults();
    const { world, invariants } = this;
    while (invariants.broken.length === 0 && !this.isQuiet() && (await world.step(END_MS))) this.steps++;
    if (invariants.broken.length === 0) await this.close();
    const posts = [...invariants.posts.values()].reduce((sum, { length }) => sum + length, 0);
    const { seed, changes, steps, deaths } = this;
    return {
      seed,
      broken: invariants.broken,
      changes,
      posts,
      steps,
      deaths,
      time: world.time,
    };
  }

  private isQuiet(): boolean {
    if (this.world.time < CALM_MS + 1_000 || this.steps % 16 !== 0) return false;
    return (
      this.memory.pendingCount === 0 &&
      [...this.processes].every(({ dispatcher }) => dispatcher.underWay === 0)
    );
  }

  /** All is quiet: nothing may be left, and who is told to stop stops. */
  private async close(): Promise<void> {
    const { world, invariants } = this;
    invariants.final();
    this.isOver = true;
    const until = world.time + 3_000;
    while (await world.step(until)) this.steps++;
    for (const process of this.processes) {
      const { dispatcher, waiting, errors, name } = process;
      if (dispatcher.underWay > 0) invariants.break(`I9: ${name} holds ${dispatcher.underWay} slots`);
      if (waiting > QUIET_WAITS) invariants.break(`I9: ${name} waits for ${waiting} things`);
      for (const error of errors) invariants.break(`${name} logged an error: ${error}`);
      void process.stop();
    }
    while (this.processes.size > 0 && (await world.step(until + 20_000))) this.steps++;
    if (this.processes.size > 0) invariants.break('I9: a process that was told to stop does not');
  }

  private open(shop: Shop): void {
    const { storeId, pace } = shop;
    const secret = `whsec_${storeId}`;
    this.secrets.set(storeId, [{ secret, until: Infinity }]);
    this.memory.endpoints.set(storeId, {
      url: storeId,
      sealedSecret: `sealed ${secret}`,
      pace,
      isPaused: false,
    });
    for (const { at, takes } of shop.changes) {
      // What is due before anything has started.
      if (at === 0) this.commit(shop, 0);
      // The row is written, due, and becomes visible when its transaction ends.
      else
        this.world.in(at, () => {
          const writtenAt = this.memory.now();
          this.world.in(takes, () => this.commit(shop, writtenAt));
        });
    }
    for (const { at, what } of shop.events) this.world.in(at, () => this[what](shop));
  }

  private commit(shop: Shop, writtenAt: number): void {
    const { storeId } = shop;
    if (!this.memory.endpoints.has(storeId)) return;
    const id = `delivery ${String(this.changes++).padStart(6, '0')}`;
    const orderId = this.random.integer(1, 3);
    const version = this.changes;
    const body = Buffer.from(JSON.stringify({ id, data: { id: orderId, updatedAt: version } }));
    const times = {
      nextAttemptAt: writtenAt,
      createdAt: writtenAt,
      leaseUntil: null,
      leaseToken: null,
    };
    this.memory.insert({
      storeId,
      id,
      event: 'order.updated',
      body,
      status: 'pending',
      failedAttempts: 0,
      ...times,
    });
    const heard = [...this.processes].filter(() => !this.random.chance(this.plan.doorbellLost));
    for (const process of heard)
      process.in(this.random.integer(0, 3), () => process.dispatcher.ring(storeId));
    const change = {
      id,
      storeId,
      orderId,
      version,
      body,
      committedAt: this.world.time,
      isHeard: heard.length > 0,
    };
    this.invariants.committed(change);
    const found =
      this.world.time === 0 ? BACKLOG_MS : change.committedAt - writtenAt < LONG_MS ? FOUND_MS : SWEPT_MS;
    if (this.mustBePrompt(shop)) this.world.in(change.isHeard ? HEARD_MS : found, () => this.checkPrompt(id));
  }

  /**
   * I7 is promised to endpoints that have answered all along, where no process and no database misbehaves.
   */
  private mustBePrompt(shop: Shop): boolean {
    return this.plan.isFaultless && shop.mode === 'healthy' && shop.events.length === 0;
  }

  private checkPrompt(id: string): void {
    if (!this.invariants.posts.has(id))
      this.invariants.break(`I7: ${id} of an endpoint that answers waits too long`);
  }

  private readonly rotate = ({ storeId }: Shop): void => {
    const endpoint = this.memory.endpoints.get(storeId);
    if (!endpoint) return;
    const secrets = this.secrets.get(storeId)!;
    secrets.at(-1)!.until = this.world.time;
    const secret = `whsec_${storeId} ${secrets.length}`;
    secrets.push({ secret, until: Infinity });
    endpoint.sealedSecret = `sealed ${secret}`;
  };

  private readonly move = ({ storeId }: Shop): void => {
    const endpoint = this.memory.endpoints.get(storeId);
    if (endpoint) endpoint.pace = 'unknown';
    this.invariants.replaced(storeId);
  };

  private readonly pause = ({ storeId }: Shop): void => this.setPaused(storeId, true);

  private readonly resume = ({ storeId }: Shop): void => {
    this.setPaused(storeId, false);
    for (const process of this.processes) process.in(1, () => process.dispatcher.ring(storeId));
  };

  private readonly remove = ({ storeId }: Shop): void => {
    for (const { id, status, ...row } of this.memory.rows.values()) {
      if (row.storeId === storeId && status === 'pending') this.invariants.withdrawn.add(id);
    }
    this.memory.removeEndpoint(storeId);
  };

  private setPaused(storeId: string, isPaused: boolean): void {
    const endpoint = this.memory.endpoints.get(storeId);
    if (endpoint) endpoint.isPaused = isPaused;
  }

  private startProcess(): void {
    const { random, plan, world } = this;
    const faults = (): Faults => (world.time < CALM_MS ? plan.faults : NO_FAULTS);
    const options: ProcessOptions = {
      settings: SETTINGS,
      skewMs: random.pick([0, -60_000, 60_000]),
      faults,
      post: (process, url, headers, body) => this.post(process, url, headers, body),
      port: this.port,
      onEnd: (process) => this.bury(process),
      // The moment of a stop that matters most: what comes of this claim must not be begun.
      onClaim: (process) => {
        if (++this.claims === plan.stopAtClaim) void process.stop();
      },
    };
    const process = new SimulatedProcess(`process ${this.started++}`, world, random, this.memory, options);
    this.processes.add(process);
    process.dispatcher.onApplicationBootstrap();
  }

  private bury(process: SimulatedProcess): void {
    this.processes.delete(process);
    if (this.isOver) return;
    this.deaths++;
    this.world.in(this.random.integer(50, 4_000), () => this.startProcess());
  }

  private scheduleFaults(): void {
    const { random, plan, world } = this;
    const one = () => random.pick([...this.processes]) as SimulatedProcess | undefined;
    for (let i = 0; i < plan.stops; i++) world.in(random.integer(0, CALM_MS), () => void one()?.stop());
    for (let i = 0; i < plan.kills; i++) world.in(random.integer(0, CALM_MS), () => one()?.crash());
    for (let i = 0; i < plan.freezes; i++) {
      world.in(random.integer(0, CALM_MS - 20_000), () => one()?.freeze(random.integer(1_000, 20_000)));
    }
  }

  private post(
    process: SimulatedProcess,
    storeId: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<AttemptResult> {
    const { world, random, invariants } = this;
    const shop = this.plan.byId.get(storeId)!;
    const isCalm = world.time >= CALM_MS;
    const { statusCode, delay } = answer(random, modeAt(shop, world.time, isCalm));
    const isRequestLost = !isCalm && random.chance(this.plan.networkLost / 2);
    const isAnswerLost = !isCalm && random.chance(this.plan.networkLost / 2);
    const hasAnswer = statusCode !== null && delay < SETTINGS.timeoutMs && !isRequestLost && !isAnswerLost;
    const durationMs = Math.min(delay, SETTINGS.timeoutMs);
    const id = headers['X-Shop-Delivery'];
    const post: Post = {
      id,
      storeId,
      at: world.time,
      endsAt: world.time + durationMs,
      headers,
      body,
    };
    invariants.begun(post, this.secretsOf(storeId));
    world.in(durationMs, () => invariants.ended(post, statusCode === 204 && !isRequestLost));
    const ok = hasAnswer && statusCode === 204;
    const result = {
      ok,
      statusCode: hasAnswer ? statusCode : null,
      durationMs,
      responseBody: hasAnswer ? '' : null,
    };
    const error = ok
      ? null
      : hasAnswer
        ? `answered with status ${statusCode}`
        : 'connection closed before an answer';
    return new Promise(
      (resolve) => void process.in(durationMs, () => resolve({ ...result, error, startedAt: new Date(0) })),
    );
  }

  /** Those of now, and those of when the delivery can have been claimed at the earliest. */
  private secretsOf(storeId: string): string[] {
    const since = this.world.time - 6_000;
    return this.secrets
      .get(storeId)!
      .filter(({ until }) => until >= since)
      .map(({ secret }) => secret);
  }
}

/**
 * Endpoints that hang or dawdle come back when all is calm, some before; those that refuse may do so for
 * ever.
 */
function modeAt({ mode, healsAt }: Shop, time: number, isCalm: boolean): Mode {
  if (time >= healsAt) return 'healthy';
  return isCalm && (mode === 'hanging' || mode === 'slow') ? 'healthy' : mode;
}

function answer(random: Random, mode: Mode): { statusCode: number | null; delay: number } {
  if (mode === 'hanging') return { statusCode: null, delay: Infinity };
  if (mode === 'slow') return { statusCode: 204, delay: random.integer(2_100, 11_000) };
  if (mode === 'failing') return { statusCode: 500, delay: random.integer(1, 200) };
  if (mode === 'refusing') return { statusCode: null, delay: 1 };
  if (mode === 'flapping' && random.chance(0.4)) return { statusCode: null, delay: Infinity };
  return { statusCode: 204, delay: random.integer(1, 120) };
}
