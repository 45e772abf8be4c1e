import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { hostsOf, serverOf, withHost } from '../../config/database-url.js';
import { bytesRead, isWaiting, sever } from './driver.js';
import { type Answer, askHost } from './host-check.js';

/** How often connections are checked for one that waits in silence. */
const TICK_MS = 500;
/** After this many silent ticks the host is asked. A single slow answer is nothing unusual. */
const SILENT_TICKS = 3;
/**
 * The ticks between two checks of the hosts. Several hosts are checked even if nothing waits, because an old
 * primary may still be up.
 */
const LOOK_TICKS = 10;
/** The same with several hosts while a connection waits in silence. */
const SUSPICIOUS_LOOK_TICKS = 3;
/**
 * How long a new connection waits for a host that accepts writes, or for the only one after it was lost. It
 * is less than a pool waits for a connection.
 */
const SEARCH_MS = 8_000;
const STEP_MS = 20;
const AGAIN_MS = 250;
/** How long the first primary found waits for the answers of the other hosts. */
const GRACE_MS = 300;

/** No host accepts writes at the moment. */
export class NoPrimary extends Error {}

interface Primary {
  host: string;
  timeline: number;
}

/** A connection that is open or being opened. */
interface Watched {
  url: string;
  host: string;
  isOpen: boolean;
  lostMs: number;
  silentTicks: number;
  bytes: number;
}

/**
 * The hosts of one database server, only one of which accepts writes. Decides where new connections go, and
 * when open ones are given up.
 *
 * A host that hangs, or that is behind a broken network, is silent, and the operating system would wait a
 * quarter of an hour for it. So when a connection waits in silence, its host is asked on a second connection;
 * without an answer, every connection to the host is ended. If there are several hosts, all of them are asked
 * every five seconds. The primary is the one that accepts writes on the latest timeline. A host on an earlier
 * timeline is an old primary that does not know it yet, and nothing is written to it.
 */
export class Hosts {
  private static readonly known = new Map<string, Hosts>();
  /**
   * Emits `lost` with a host and the number of its connections that were ended, and `primary` with the host
   * that accepts writes from now on, if it is not the same as before.
   */
  readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly hosts: string[];
  private readonly watched = new Map<pg.Client, Watched>();
  private current: string | null = null;
  /** When something last happened to an open connection; null once another one is open. */
  private lostAt: number | null = null;
  private latest: string | null = null;
  private timeline = 0;
  private searching: Promise<string> | null = null;
  private ticking: NodeJS.Timeout | null = null;
  private ticksSinceLook = LOOK_TICKS;
  private isLooking = false;

  private constructor(url: string) {
    this.hosts = hostsOf(url);
  }

  /** The same object for the same server, whatever the database and the role. */
  static of(url: string): Hosts {
    const server = serverOf(url);
    let hosts = Hosts.known.get(server);
    if (!hosts) Hosts.known.set(server, (hosts = new Hosts(url)));
    return hosts;
  }

  get areSeveral(): boolean {
    return this.hosts.length > 1;
  }

  /** Whether a connection was lost less than 8 s ago, and none opened since: the server may be restarting. */
  get isLost(): boolean {
    return this.lostAt !== null && performance.now() - this.lostAt < SEARCH_MS;
  }

  /**
   * The host that accepts writes. Waits for one, 8 s at most; the only one is waited for after it was lost.
   * @param url the URL of the role to ask as
   * @throws NoPrimary, or the error that every host gives this role
   */
  async primary(url: string): Promise<string> {
    const find = () => (this.areSeveral ? this.search(url) : this.onlyOne(url));
    return this.current ?? (this.searching ??= find().finally(() => (this.searching = null)));
  }

  /**
   * Watches a connection to a host, from before it is opened until it has ended.
   * @param lostMs how long it may wait in silence before it is given up, even if its host answers
   */
  watch(client: pg.Client, url: string, host: string, lostMs = Infinity): void {
    this.watched.set(client, { url, host, isOpen: false, lostMs, silentTicks: 0, bytes: 0 });
    this.ticking ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  opened(client: pg.Client): void {
    const watched = this.watched.get(client);
    if (watched) watched.isOpen = true;
    this.lostAt = null;
  }

  /** Something happened to the host of the connection, which is about to end. */
  lost(client: pg.Client): void {
    const watched = this.watched.get(client);
    if (!watched) return;
    this.forget(watched.host);
    if (watched.isOpen) this.lostAt = performance.now();
  }

  /** @param isAsked whether the service ended the connection; otherwise something happened to the host */
  ended(client: pg.Client, isAsked: boolean): void {
    if (!isAsked) this.lost(client);
    this.watched.delete(client);
    if (this.watched.size > 0 || !this.ticking) return;
    clearInterval(this.ticking);
    this.ticking = null;
    // The hosts are no longer checked, so another one may accept writes by the time of the next connection.
    this.current = null;
  }

  /** Makes the next connection search for the primary again. */
  forget(host: string): void {
    if (this.current === host) this.current = null;
  }

  /** The only host, as soon as it answers, or when it has been lost for too long. */
  private async onlyOne(url: string): Promise<string> {
    const [host] = this.hosts;
    while (this.isLost) {
      if ((await askHost(withHost(url, host))).kind === 'away') await sleep(AGAIN_MS);
      else this.lostAt = null;
    }
    return host;
  }

  private async search(url: string): Promise<string> {
    const answers = new Map<string, Answer>();
    let isOver = false;
    for (const host of this.hosts) {
      void (async () => {
        for (; !isOver; await sleep(AGAIN_MS)) answers.set(host, await askHost(withHost(url, host)));
      })();
    }
    try {
      for (let waited = 0, found = 0; waited < SEARCH_MS; waited += STEP_MS) {
        await sleep(STEP_MS);
        if (this.current !== null) return this.current;
        const newest = this.newest(answers);
        const areAllHeard = answers.size === this.hosts.length;
        if (newest && (areAllHeard || (found += STEP_MS) >= GRACE_MS)) return this.follow(newest);
        const refusals = [...answers.values()].filter((answer) => answer.kind === 'refused');
        if (refusals.length === this.hosts.length) throw refusals[0].error;
      }
      throw noPrimary(answers);
    } finally {
      isOver = true;
    }
  }

  private newest(answers: Map<string, Answer>): Primary | null {
    const primaries = [...answers].flatMap(([host, answer]) =>
      answer.kind === 'primary' && answer.timeline >= this.timeline
        ? [{ host, timeline: answer.timeline }]
        : [],
    );
    return primaries.sort((a, b) => b.timeline - a.timeline)[0] ?? null;
  }

  private tick(): void {
    let isSuspicious = false;
    for (const [client, watched] of this.watched) {
      const bytes = bytesRead(client);
      watched.silentTicks = isWaiting(client) && bytes === watched.bytes ? watched.silentTicks + 1 : 0;
      watched.bytes = bytes;
      isSuspicious ||= watched.silentTicks >= SILENT_TICKS;
      const silentMs = watched.silentTicks * TICK_MS;
      if (silentMs > watched.lostMs)
        sever(client, new Error(`Connection terminated: no answer came for ${silentMs} ms`));
    }
    this.ticksSinceLook++;
    const rest = this.areSeveral && isSuspicious ? SUSPICIOUS_LOOK_TICKS : LOOK_TICKS;
    if ((this.areSeveral || isSuspicious) && this.ticksSinceLook >= rest && !this.isLooking) void this.look();
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    const [{ url }] = this.watched.values();
    await Promise.all(this.hosts.map(async (host) => this.hear(host, await askHost(withHost(url, host)))));
    this.isLooking = false;
    this.ticksSinceLook = 0;
  }

  private hear(host: string, answer: Answer): void {
    if (answer.kind === 'refused') return;
    if (answer.kind === 'away') return this.giveUp(host);
    if (!this.areSeveral) return;
    if (answer.kind === 'standby' || answer.timeline < this.timeline) return this.giveUp(host);
    if (answer.timeline > this.timeline || this.current === null)
      this.follow({ host, timeline: answer.timeline });
  }

  private follow({ host, timeline }: Primary): string {
    const isAnother = this.latest !== null && this.latest !== host;
    this.current = this.latest = host;
    this.timeline = timeline;
    for (const other of this.hosts) if (other !== host) this.giveUp(other);
    if (isAnother) this.changes.emit('primary', host);
    return host;
  }

  /** Ends every connection to a host. The statements under way on them fail. */
  private giveUp(host: string): void {
    this.forget(host);
    const connections = [...this.watched].filter(([, watched]) => watched.host === host);
    for (const [client] of connections) sever(client);
    if (connections.length > 0) this.changes.emit('lost', host, connections.length);
  }
}

function noPrimary(answers: Map<string, Answer>): Error {
  const refusal = [...answers.values()].find((answer) => answer.kind === 'refused');
  if (refusal) return refusal.error;
  const found = [...answers].map(([host, answer]) => {
    if (answer.kind === 'away') return `${host} does not answer: ${answer.error.message}`;
    return `${host} ${answer.kind === 'standby' ? 'is a standby' : 'is an old primary'}`;
  });
  return new NoPrimary(`no host of the database takes writes (${found.join('; ')})`);
}
