import { Injectable } from '@nestjs/common';
import { Listener } from '../database/connections/listener.js';
import { systemStatement } from '../database/statement.js';
import { SystemDatabase } from '../database/system.js';

/**
 * A change that was just committed, for people who are looking at the store: ids and names of fields, no
 * personal data.
 */
export interface LiveChange {
  /** The kind and the id of the record, as in audit targets. */
  kind: string;
  id: string;
  /** The operation, or another audited name, that made the change. */
  operation: string;
  /** The names of the changed fields, as far as the audit row has them. */
  changed: string[];
  /** Further values that belong to the change. */
  more?: Record<string, string | number | null>;
}

/** Sent when notifications may have been missed: pages then load their data again. */
export const REFETCH = 'refetch';

/** On this channel processes announce which stores are being watched, or ask the others for theirs. */
const NOTIFY = systemStatement(
  'live_changes',
  `select pg_notify(channel, message)
   from unnest($channels::text[], $messages::text[]) as n (channel, message)`,
);

const WATCH_CHANNEL = 'shop_watch';
const CHANGE_CHANNEL = 'shop_live';
const WHO = '?';
const ANNOUNCE_MS = 30_000;
/** A store that has not been announced for this long is no longer watched. */
const FORGET_MS = 75_000;
/** A process that has just begun to listen does not know yet which stores are watched. */
const LEARNING_MS = 2_000;
/** The payload of a PostgreSQL notification must be shorter than 8,000 bytes. */
const MAX_PAYLOAD = 7_000;

type Handler = (change: LiveChange | typeof REFETCH) => void;

/**
 * Notifies people who are looking at a store about its changes, whichever process makes them, through the
 * database's notifications. Processes announce the stores that are watched through them, so a change in a
 * store that nobody watches costs one map look-up. Like the doorbell's, notifications are sent in batches
 * after the commit, outside the call. They are hints: one may be lost or come twice.
 */
@Injectable()
export class LiveChanges {
  private readonly handlers = new Map<string, Set<Handler>>();
  /**
   * The stores that are watched in any process, and until when that is assumed, as a reading of
   * `performance.now`.
   */
  private readonly watched = new Map<string, number>();
  private learningUntil = Infinity;
  private waiting: { channel: string; message: string }[] = [];
  private sending: Promise<void> | null = null;
  private announcing: NodeJS.Timeout | null = null;

  constructor(
    private readonly listener: Listener,
    private readonly database: SystemDatabase,
  ) {
    listener.on(WATCH_CHANNEL, (message) => this.heard(message));
    listener.on(CHANGE_CHANNEL, (message) => this.changed(message));
    listener.onGap(() => this.gap());
  }

  /** Whether a change in the store is worth announcing. */
  isWatched(storeId: string): boolean {
    const until = this.watched.get(storeId);
    if (until !== undefined && until > performance.now()) return true;
    return performance.now() < this.learningUntil;
  }

  /**
   * Notifies everybody who is looking at the store. To be called after the commit. Never fails and is not
   * waited for.
   */
  publish(storeId: string, change: LiveChange): void {
    if (!this.isWatched(storeId)) return;
    const message = `${storeId} ${JSON.stringify(change)}`;
    this.notify(
      CHANGE_CHANNEL,
      Buffer.byteLength(message) < MAX_PAYLOAD ? message : `${storeId} "${REFETCH}"`,
    );
  }

  /** @returns a function that ends the watch */
  watch(storeId: string, handler: Handler): () => void {
    const handlers = this.handlers.get(storeId) ?? new Set();
    this.handlers.set(storeId, handlers.add(handler));
    if (handlers.size === 1) this.announce([storeId]);
    this.announcing ??= setInterval(() => this.announce([...this.handlers.keys()]), ANNOUNCE_MS).unref();
    return () => {
      handlers.delete(handler);
      if (handlers.size === 0 && this.handlers.get(storeId) === handlers) this.handlers.delete(storeId);
      if (this.handlers.size > 0 || !this.announcing) return;
      clearInterval(this.announcing);
      this.announcing = null;
    };
  }

  /** Resolves when everything published has been sent or lost. For a process that is about to end. */
  async settled(): Promise<void> {
    await this.sending;
  }

  /**
   * This process takes note at once, so that its own changes are published even before the others have heard.
   */
  private announce(storeIds: string[]): void {
    for (const storeId of storeIds) {
      this.believe(storeId);
      this.notify(WATCH_CHANNEL, storeId);
    }
  }

  private heard(message: string): void {
    if (message === WHO) this.announce([...this.handlers.keys()]);
    else this.believe(message);
  }

  private believe(storeId: string): void {
    const now = performance.now();
    // The map is ordered by time, so clearing can stop at the first entry that has not expired.
    this.watched.delete(storeId);
    this.watched.set(storeId, now + FORGET_MS);
    for (const [id, until] of this.watched) {
      if (until > now) break;
      this.watched.delete(id);
    }
  }

  private changed(message: string): void {
    const at = message.indexOf(' ');
    const handlers = this.handlers.get(message.slice(0, at));
    if (!handlers) return;
    const change = JSON.parse(message.slice(at + 1)) as LiveChange | typeof REFETCH;
    for (const handler of handlers) handler(change);
  }

  private gap(): void {
    // Until it listens again, it cannot know which stores are watched.
    this.learningUntil = this.listener.connected ? performance.now() + LEARNING_MS : Infinity;
    if (this.listener.connected) {
      this.notify(WATCH_CHANNEL, WHO);
      this.announce([...this.handlers.keys()]);
    }
    for (const handlers of this.handlers.values()) for (const handler of handlers) handler(REFETCH);
  }

  private notify(channel: string, message: string): void {
    this.waiting.push({ channel, message });
    this.sending ??= this.send();
  }

  /** Messages that arrive while a notification is being sent go out together. */
  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const channels = this.waiting.map(({ channel }) => channel);
      const messages = this.waiting.map(({ message }) => message);
      this.waiting = [];
      await this.database.query(NOTIFY, { channels, messages }).catch(() => undefined);
    }
    this.sending = null;
  }
}
