import type { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Group, Groups } from '../../../access/rights.js';
import { Sessions } from '../../../people/sign-in/sessions.service.js';
import { Caps } from '../../../platform/caps/caps.js';
import { Drain } from '../../../platform/http/drain.js';
import { LOGGER, type Logger } from '../../../platform/logging/logger.js';
import { Finished } from '../../../platform/schema/present.js';
import type { Call } from '../../../platform/store/call.js';
import { type LiveChange, LiveChanges, REFETCH } from '../../../platform/store/live-changes.js';
import type { TargetKind } from '../../../platform/store/store-context.js';

export const HEARTBEAT_MS = 25_000;
export const CHECK_MS = 15_000;
/**
 * How many unsent bytes a stream may have. A slower reader is disconnected, and fetches everything again
 * after it reconnects.
 */
const MAX_BEHIND = 64 * 1024;
/** How long a browser waits before it connects again. */
const RECONNECT_MS = 3_000;

/** A person who watches a store. */
interface Viewer {
  storeId: string;
  userId: string;
  tokenHash: string;
  /** To what the person is narrowed; null is every group. */
  groups: Groups;
}

interface Stream extends Viewer {
  response: ServerResponse;
}

/**
 * The open streams of live changes (docs/behaviour.md §10.1). Every 15 s those are ended whose session has
 * ended or whose member was removed or narrowed otherwise; also at once if the store's members change.
 * Nothing is kept for a reader that is disconnected or slow.
 */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<Stream>();
  private timers: NodeJS.Timeout[] = [];
  private isClosed = false;

  constructor(
    private readonly changes: LiveChanges,
    private readonly sessions: Sessions,
    private readonly caps: Caps,
    drain: Drain,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    drain.whenStopping(() => this.close());
  }

  get open(): number {
    return this.streams.size;
  }

  /**
   * @returns the changes of the store, until either side ends the stream
   * @throws OperationError rate_limited
   */
  stream(viewer: Viewer, call: Call, headers: Record<string, string>): Finished {
    const free = this.caps.take('streams', { ...viewer, address: call.address }, call);
    return new Finished({ headers, write: (response) => this.add(viewer, response, free), abandon: free });
  }

  private add(viewer: Viewer, response: ServerResponse, free: () => void): void {
    // The caller may have disconnected, or the service may be stopping, since the call began.
    if (this.isClosed || response.destroyed) {
      free();
      return void response.end();
    }
    const stream: Stream = { ...viewer, response };
    this.streams.add(stream);
    const unwatch = this.changes.watch(viewer.storeId, (change) => void this.tell(stream, change));
    response.once('close', () => {
      free();
      unwatch();
      this.forget(stream);
    });
    this.send(stream, `retry: ${RECONNECT_MS}\nevent: ready\ndata: {}\n\n`);
    if (this.timers.length === 0) this.begin();
  }

  /** Sends a comment on every stream, so that proxies do not close idle connections. */
  beat(): void {
    for (const stream of this.streams) this.send(stream, ':\n\n');
  }

  /** Sends a change. If it is about members, the stream may have to end instead, and knows no more of it. */
  private async tell(stream: Stream, change: LiveChange | typeof REFETCH): Promise<void> {
    if (change !== REFETCH && change.operation.startsWith('member.')) await this.check([stream]);
    if (change === REFETCH || mayKnow(stream, change)) this.send(stream, textOf(change));
  }

  /** Ends the streams of people who no longer have access. */
  async check(viewers = [...this.streams]): Promise<void> {
    try {
      const open = await this.sessions.stillOpen(viewers);
      for (const stream of viewers) if (!open.has(stream)) stream.response.end();
    } catch (error) {
      // A stream whose access cannot be checked is ended. The browser reconnects, and its access is checked
      // then.
      this.log.warn({ err: error }, 'the sessions of live streams could not be checked');
      for (const { response } of viewers) response.end();
    }
  }

  beforeApplicationShutdown(): void {
    this.close();
  }

  private close(): void {
    this.isClosed = true;
    for (const { response } of this.streams) response.end();
  }

  private begin(): void {
    this.timers = [
      setInterval(() => this.beat(), HEARTBEAT_MS),
      setInterval(() => void this.check(), CHECK_MS),
    ];
    for (const timer of this.timers) timer.unref();
  }

  private forget(stream: Stream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private send({ response }: Stream, text: string): void {
    if (text === '' || response.writableEnded || response.destroyed) return;
    if (response.writableLength > MAX_BEHIND) response.destroy();
    else response.write(text);
  }
}

/** The groups in which the kinds of records are shown; without any they are for people with every group. */
const SHOWN_IN: Record<TargetKind, Group[]> = {
  order: ['orders'],
  product: ['products'],
  variant: ['products'],
  brand: ['brands'],
  category: ['categories'],
  promocode: ['promocodes'],
  contest: ['contests'],
  customer: ['customers'],
  campaign: ['campaigns'],
  payment_provider: ['payment-providers'],
  bot: ['bot'],
  bot_message: ['bot'],
  checkout: ['checkout'],
  monetization: ['monetization'],
  settings: ['settings'],
  invoice_field_config: ['invoice-fields'],
  webhook: ['events'],
  delivery: ['events'],
  invoice: ['billing'],
  saved_view: ['orders', 'customers'],
  token: [],
  connection: [],
  user: [],
  invitation: [],
  upload: [],
  store: [],
};

const mayKnow = ({ groups }: Viewer, { kind }: LiveChange): boolean =>
  // A process of a newer version may announce more kinds.
  groups === null || !!SHOWN_IN[kind as TargetKind]?.some((group) => groups.includes(group));

/** Formats a change as an event of the stream; empty for an audited call that did not change the order. */
function textOf(change: LiveChange | typeof REFETCH): string {
  if (change === REFETCH) return 'event: refetch\ndata: {}\n\n';
  const event = eventOf(change);
  if (event === null) return '';
  const { kind, id, operation, changed, more } = change;
  const data = {
    kind,
    id,
    operation,
    changed,
    ...(kind === 'order' ? { orderId: Number(id) } : {}),
    ...more,
  };
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Changes without an audited call. Their operation is the name of the event. */
const NAMED = ['delivery.failed', 'campaign.progress'];

function eventOf({ kind, operation, changed }: LiveChange): string | null {
  if (NAMED.includes(operation)) return operation;
  if (kind !== 'order') return 'record.changed';
  if (operation === 'order.place') return 'order.placed';
  if (operation === 'delete_order') return 'order.deleted';
  return changed.length > 0 || operation === 'ship_order' ? 'order.changed' : null;
}
