import { once } from 'node:events';
import path from 'node:path';
import { preparedDatabase } from '../../support/database/own-database.js';
import { BotApiServer } from '../../support/servers/bot-api-server.js';
import { ServiceProcess } from '../../support/servers/service-process.js';
import { TestApp } from '../../support/test-app.js';

/**
 * docs/behaviour.md §1.6, in processor time of the main thread. What is measured on a machine of 2025 is half
 * of it.
 */
const LONGEST_MS = 50;
/**
 * What such a machine takes to parse this. A slower one, or one that others load, may take longer for
 * everything by as much.
 */
const REFERENCE_MS = 25;
const REFERENCE = `[${Array(349_524).fill('{}').join(',')}]`;
/**
 * One measurement may hold a collection of garbage that others left, or code that is not compiled yet. The
 * least of a few holds neither.
 */
const TRIES = 5;
const SLOWNESS_HOLDS_MS = 5_000;
let known = { factor: 1, until: 0 };

/** How many times slower than the reference this machine is at the moment; at least 1. */
function slowness(): number {
  if (performance.now() < known.until) return known.factor;
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    JSON.parse(REFERENCE);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  known = {
    factor: Math.max(1, Math.min(...times) / REFERENCE_MS),
    until: performance.now() + SLOWNESS_HOLDS_MS,
  };
  return known.factor;
}

/** Requests that differ in their bodies, or in a part of their address or headers that has a name. */
export interface Target {
  name: string;
  method?: string;
  url: string;
  headers: Record<string, string>;
  bodies: [name: string, body: string | undefined][];
  /** It has to be answered by data, not by a refusal, when it is sent first. */
  succeeds?: boolean;
}

/** A process of the service whose event loop is watched, beside one that prepares what it is asked for. */
export class WatchedService {
  private constructor(
    readonly app: TestApp,
    readonly messenger: BotApiServer,
    private readonly service: ServiceProcess,
  ) {}

  static async start(): Promise<WatchedService> {
    const messenger = await BotApiServer.start();
    // A process of the service runs for minutes, with jobs that are for all stores.
    const database = await preparedDatabase();
    const app = await TestApp.start({ database, env: { MESSENGER_API_ROOT: messenger.apiRoot } });
    const budgets = ['READ', 'WRITE', 'BAD_TOKENS'].map((budget) => `RATE_LIMIT_${budget}`);
    const more = ['SESSION_RATE_LIMIT_READ', 'SESSION_RATE_LIMIT_WRITE', 'STOREFRONT_RATE_LIMIT'];
    const service = await ServiceProcess.start(
      {
        DATABASE_URL: app.database.ownerUrl,
        SHOP_ROLES: 'web',
        ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
        LOG_LEVEL: 'silent',
        MESSENGER_API_ROOT: messenger.apiRoot,
        ...Object.fromEntries([...budgets, ...more].map((name) => [name, '1000000'])),
      },
      ['--import', path.resolve(__dirname, 'turns.mjs')],
    );
    return new WatchedService(app, messenger, service);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.app.stop();
    await this.messenger.close();
  }

  private async tell(message: string): Promise<any> {
    const answered = once(this.service.child, 'message');
    this.service.child.send(message);
    return (await answered)[0];
  }

  /**
   * @returns the longest turn of the service's event loop while it answers, in ms of processor time, and the
   * answer if it is a refusal
   */
  private async measure(
    { name, method = 'POST', url, headers }: Target,
    [shape, body]: Target['bodies'][number],
  ): Promise<{ longest: number; refusal: string | null }> {
    await this.tell('watch');
    const abort = new AbortController();
    const response = await fetch(this.service.url + url, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: abort.signal,
    });
    // A stream of events does not end.
    let text = '';
    if (method === 'GET' && response.headers.get('content-type')?.startsWith('text/event-stream'))
      abort.abort();
    else text = await response.text();
    const { longest } = await this.tell('stop');
    expect([name, shape, response.status < 500]).toEqual([name, shape, true]);
    const isRefused = !response.ok || /"ok\\*":false,\\*"error/.test(text);
    return { longest: longest as number, refusal: isRefused ? text : null };
  }

  /** What holds the event loop for longer, however often it is tried. */
  async tooLong(targets: Target[]): Promise<[string, string, number][]> {
    const found: [string, string, number][] = [];
    for (const target of targets) {
      for (const body of target.bodies) {
        const first = await this.measure(target, body);
        if (target.succeeds) expect([target.name, first.refusal]).toEqual([target.name, null]);
        let least = first.longest;
        const most = least > LONGEST_MS ? LONGEST_MS * slowness() : LONGEST_MS;
        for (let tries = 1; tries < TRIES && least > most; tries++)
          least = Math.min(least, (await this.measure(target, body)).longest);
        if (least > most) found.push([target.name, body[0], Math.round(least)]);
      }
    }
    return found;
  }
}
