import type { Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

const LOOK_MS = 50;
/** How long after the port is closed a connection without a request is kept. */
const SILENT_MS = 1_000;

/**
 * Tracks the requests under way, and ends the callers' connections when a stop is requested
 * (docs/behaviour.md §16).
 */
@Injectable()
export class Drain {
  /**
   * The answers under way, each in its own place, and the free places. It is not a Set: V8 keeps replacing
   * the table of a Set that changes often, and the contents of an old table are kept until a full garbage
   * collection (docs/performance.md).
   */
  private readonly places: (ServerResponse | null)[] = [];
  private readonly free: number[] = [];
  private stopping = false;
  private readonly onStop: (() => void)[] = [];

  /** Whether a stop was requested. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** The number of requests without a complete answer. */
  get requests(): number {
    return this.places.length - this.free.length;
  }

  /** @returns the place of the response, for `delete` */
  add(response: ServerResponse): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = response;
    if (this.stopping) response.setHeader('Connection', 'close');
    return place;
  }

  delete(place: number): void {
    this.places[place] = null;
    this.free.push(place);
  }

  /** Registers a function that ends an endless answer when a stop is requested. */
  whenStopping(stop: () => void): void {
    this.onStop.push(stop);
  }

  /**
   * Begins the stop: the service is no longer ready, and each answer ends its connection, so that the next
   * call goes elsewhere.
   */
  begin(): void {
    if (this.stopping) return;
    this.stopping = true;
    for (const stop of this.onStop) stop();
    for (const response of this.places)
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
  }

  /**
   * Closes the port, and each connection once it is idle. @returns the timer that does this, to be cleared at
   * the end
   */
  closePort(server: Server): NodeJS.Timeout {
    server.close();
    let busyAt = performance.now();
    return setInterval(() => {
      if (this.requests > 0) busyAt = performance.now();
      // Connections that have not sent anything do not count as idle, and would keep the server open for
      // ever.
      if (performance.now() - busyAt > SILENT_MS) server.closeAllConnections();
      else server.closeIdleConnections();
    }, LOOK_MS);
  }
}

/**
 * @returns a function that creates, once, a signal that is aborted if the caller disconnects before it has
 * its answer
 */
export function signalOf(response: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => (signal ??= closeOf(response));
}

function closeOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // The caller may already have disconnected.
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
