import { Injectable } from '@nestjs/common';
import { Listener } from '../database/listener.js';
import { SystemDatabase } from '../database/system.js';

/** Something that was just committed, for people who look at a store: ids and names of fields, no value that is about a person. */
export interface LiveChange {
  /** Of the record, as audit targets have them. */
  kind: string;
  id: string;
  /** What did it: an operation, or another audited name. */
  operation: string;
  /** The names of the fields that changed, as far as the audit says. */
  changed: string[];
  /** Figures that belong to it. */
  more?: Record<string, string | number | null>;
}

/** Notifications may have been missed: whoever shows anything asks for it again. */
export const REFETCH = 'refetch';

/** On this channel processes say that somebody looks at a store, or ask who does. */
const WATCH_CHANNEL = 'shop_watch';
const CHANGE_CHANNEL = 'shop_live';
const WHO = '?';
const ANNOUNCE_MS = 30_000;
/** A store nobody has named for so long is looked at by nobody. */
const FORGET_MS = 75_000;
/** After it begins to listen, a process does not know yet who looks at what. */
const LEARNING_MS = 2_000;
/** PostgreSQL takes less than 8,000 bytes. */
const MAX_PAYLOAD = 7_000;

type Handler = (change: LiveChange | typeof REFETCH) => void;

/**
 * Shows people who look at a store what changes in it, whichever process changes it, by the database's notifications. A change in a
 * store that nobody looks at costs one look into a map: processes announce the stores that are looked at on theirs. Notifications go
 * out after the commit, together, outside the call, as the doorbell's do. They are hints: one may be lost, or come twice.
 */
@Injectable()
export class LiveChanges {
  private readonly handlers = new Map<string, Set<Handler>>();
  /** Stores that are looked at anywhere, and until when that is believed; by `performance.now`. */
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

  /** Reaches everybody who looks at the store; after the commit. Never fails and is not waited for. */
  publish(storeId: string, change: LiveChange): void {
    if (!this.isWatched(storeId)) return;
    const message = `${storeId} ${JSON.stringify(change)}`;
    this.notify(CHANGE_CHANNEL, Buffer.byteLength(message) < MAX_PAYLOAD ? message : `${storeId} "${REFETCH}"`);
  }

  /** @returns what ends it */
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

  /** Resolves when what was published is on its way, or lost; for a process that is about to end. */
  async settled(): Promise<void> {
    await this.sending;
  }

  /** This process believes itself at once; what it changes before the others have heard is published, too. */
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
    // The last to be believed stands last, so the first that has to stay ends the clearing.
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
    // Until it listens again it cannot hear who looks at what.
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

  /** What comes while a notification is under way travels together. */
  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const channels = this.waiting.map(({ channel }) => channel);
      const messages = this.waiting.map(({ message }) => message);
      this.waiting = [];
      await this.database
        .query(
          'select pg_notify(channel, message) from unnest($1::text[], $2::text[]) as n (channel, message)',
          [channels, messages],
          'live_changes',
        )
        .catch(() => undefined);
    }
    this.sending = null;
  }
}
