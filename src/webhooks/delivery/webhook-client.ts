import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { checkTargetUrl } from '../../platform/http/address-guard.js';
import { type ConnectorOptions, guardedConnector } from '../../platform/http/guarded-connector.js';
import { outside } from '../../platform/held.js';
import { DeadlinePassed, failureText } from './attempts/failure-text.js';
import { inEnglish } from './attempts/failures.js';

/** How many bytes of a response are read, and how many are recorded (docs/behaviour.md §7.3, §7.4). */
const MAX_READ_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;
/** How long a response body may take after the status line, which decides the outcome, in milliseconds. */
const BODY_GRACE_MS = 1000;
/**
 * A connection older than this takes no further request, and idle ones are closed sooner, so that DNS changes
 * take effect.
 */
const CONNECTION_LIFE_MS = 30_000;
const MAX_IDLE_MS = 20_000;
/**
 * As many as there are slots for prompt endpoints, so that a busy process does not open a connection for each
 * delivery.
 */
const MAX_IDLE_CONNECTIONS = 512;

/** The outcome of one POST. `error` and `responseBody` may be shown to the tenant. */
export interface AttemptResult {
  /** Whether a 2xx status line came in time. */
  ok: boolean;
  /** Null when no answer came. */
  statusCode: number | null;
  /** Null when ok. */
  error: string | null;
  /** Milliseconds until the status line came or the attempt failed. */
  durationMs: number;
  /** The first 1 KiB as text, null when no answer came. */
  responseBody: string | null;
  startedAt: Date;
}

/** `timeoutMs` bounds name resolution, connection, TLS and the answer together. */
export type WebhookClientOptions = ConnectorOptions;

/** A client of one connection; undici's own pool would let one request wait behind another. */
interface Connection {
  client: Client;
  origin: string;
  openedAt: number;
  open: boolean;
  /** What has been read of it tells whether any byte of an answer came. */
  socket?: Socket;
}

class ReadEnough extends Error {}

/**
 * Sends webhooks to addresses that tenants choose, so it trusts none of them: it connects only to public
 * addresses, checked for each connection, and uses no redirects, proxies or decompression. The dispatcher
 * limits the slots per store. Each post uses one connection, and only a bounded number of idle connections is
 * kept.
 *
 * It uses one undici Client per connection instead of an Agent. After an aborted request an Agent connects
 * once more, and it reacts to an abort only when connected (undici issues 386 and 5845). Destroying a Client
 * avoids both. Answers are read by a handler (`Answer`), because a stream for each, mostly empty, took a
 * tenth of a delivery's processor time.
 */
export class WebhookClient {
  private readonly idle = new Set<Connection>();
  private closed = false;
  private readonly underWay = new Set<Promise<AttemptResult>>();
  private readonly connector: buildConnector.connector;

  constructor(private readonly options: WebhookClientOptions) {
    this.connector = guardedConnector(options);
  }

  /** POSTs the bytes as they are. Any failure is a result; the promise never rejects. */
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<AttemptResult> {
    outside('another server');
    const attempt = this.attempt(url, headers, body).finally(() => this.underWay.delete(attempt));
    this.underWay.add(attempt);
    return attempt;
  }

  /** Closes idle connections and waits for the posts under way; each of them ends by its own deadline. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { client } of this.idle) void client.destroy();
    await Promise.all(this.underWay);
  }

  private async attempt(raw: string, headers: Record<string, string>, body: Buffer): Promise<AttemptResult> {
    const startedAt = new Date();
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    try {
      const url = checkTargetUrl(raw, this.options);
      const request = { method: 'POST', path: url.pathname + url.search, headers, body } as const;
      const { statusCode, decidedAt, text } = await this.answerFrom(url.origin, request);
      const error = statusError(statusCode);
      return {
        ok: error === null,
        statusCode,
        error,
        durationMs: Math.round(decidedAt - start),
        responseBody: text,
        startedAt,
      };
    } catch (error) {
      const text = failureText(error, this.options.timeoutMs);
      return {
        ok: false,
        statusCode: null,
        error: text,
        durationMs: elapsed(),
        responseBody: null,
        startedAt,
      };
    }
  }

  /**
   * A receiver may close a kept connection just as a request comes over it. If no byte of an answer came, the
   * request is made once more over a connection of its own; the deadline stays that of both.
   */
  private async answerFrom(origin: string, request: Dispatcher.DispatchOptions): Promise<ReceivedResponse> {
    let connection = this.kept(origin);
    const deadline = setTimeout(
      () => void connection?.client.destroy(new DeadlinePassed()),
      this.options.timeoutMs,
    );
    try {
      const bytesBefore = connection?.socket?.bytesRead;
      if (connection) {
        try {
          return await this.over(connection, request);
        } catch (error) {
          const isUnanswered = connection.socket?.bytesRead === bytesBefore;
          if (error instanceof DeadlinePassed || !isUnanswered) throw error;
        }
      }
      connection = this.open(origin);
      return await this.over(connection, request);
    } finally {
      clearTimeout(deadline);
    }
  }

  private async over(connection: Connection, request: Dispatcher.DispatchOptions): Promise<ReceivedResponse> {
    try {
      const answered = await answerTo(connection.client, request);
      if (answered.complete) this.keep(connection);
      return answered;
    } finally {
      if (!this.idle.has(connection)) void connection.client.destroy();
    }
  }

  private kept(origin: string): Connection | undefined {
    for (const kept of this.idle) {
      if (kept.origin !== origin) continue;
      this.idle.delete(kept);
      if (Date.now() - kept.openedAt < CONNECTION_LIFE_MS) return kept;
      void kept.client.destroy();
    }
    return undefined;
  }

  private open(origin: string): Connection {
    const client = new Client(origin, {
      connect: (options, callback) =>
        this.connector(options, (...[error, socket]) => {
          if (socket) connection.socket = socket;
          callback(...([error, socket] as Parameters<typeof callback>));
        }),
      // The deadline covers both. undici's own timers only measure silence, so slowly dripping bytes would
      // evade them.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    });
    const connection: Connection = { client, origin, openedAt: Date.now(), open: false };
    client.on('connect', () => (connection.open = true));
    client.on('disconnect', () => {
      connection.open = false;
      this.idle.delete(connection);
    });
    return connection;
  }

  private keep(connection: Connection): void {
    if (connection.open && !this.closed && this.idle.size < MAX_IDLE_CONNECTIONS) this.idle.add(connection);
  }
}

/** The status of an answer, and the part of its body that is kept. */
interface ReceivedResponse {
  statusCode: number;
  /** When the status line came, as a reading of `performance.now`. */
  decidedAt: number;
  text: string;
  /** Whether all of it was read, so that its connection can be used again. */
  complete: boolean;
}

/** @throws the error that ended the request before a status line came */
function answerTo(client: Client, request: Dispatcher.DispatchOptions): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => client.dispatch(request, new Answer(resolve, reject)));
}

/**
 * Reads one answer: the part that is recorded, and a little more so that the connection can be used again. It
 * never waits for all of a long body. A body that is cut short, by the sender or by us, does not change the
 * outcome, because the status line decides.
 */
class Answer implements Dispatcher.DispatchHandler {
  private readonly kept: Buffer[] = [];
  private read = 0;
  private statusCode: number | null = null;
  private decidedAt = 0;
  private grace?: NodeJS.Timeout;

  constructor(
    private readonly resolve: (answered: ReceivedResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onRequestStart(): void {
    // Nothing to do, but undici would treat a handler without this method as one of its older kind.
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    // Interim answers (RFC 9110, section 15.2) precede the one that decides.
    if (statusCode < 200) return;
    this.statusCode = statusCode;
    this.decidedAt = performance.now();
    this.grace = setTimeout(() => controller.abort(new ReadEnough()), BODY_GRACE_MS);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.read < KEPT_BYTES) this.kept.push(chunk.subarray(0, KEPT_BYTES - this.read));
    this.read += chunk.length;
    if (this.read > MAX_READ_BYTES) controller.abort(new ReadEnough());
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  private end(error: Error | null): void {
    clearTimeout(this.grace);
    const { statusCode, decidedAt } = this;
    if (statusCode === null) return this.reject(error ?? new ReadEnough());
    this.resolve({ statusCode, decidedAt, text: asText(this.kept), complete: error === null });
  }
}

/**
 * With `stream`, a character cut in two at the end is left out. NUL is replaced, because PostgreSQL's text
 * cannot hold it.
 */
function asText(chunks: Buffer[]): string {
  if (chunks.length === 0) return '';
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\uFFFD');
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return inEnglish(REDIRECTS.has(status) ? 'redirect' : 'status', status);
}
