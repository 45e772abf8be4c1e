import type { Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';

const LOOK_MS = 50;
/** A connection on which no request has begun for this long after the port is closed gets none any more. */
const SILENT_MS = 1_000;

/** The requests under way, and how the service takes leave of its callers when it is asked to stop (docs/behaviour.md §16). */
@Injectable()
export class Drain {
  /**
   * Answers under way, each in the place it was given, and places that are free. No Set: V8 replaces the table of one that things
   * come to and go from, and what an old table held is kept until all of the heap is looked at (docs/performance.md).
   */
  private readonly places: (ServerResponse | null)[] = [];
  private readonly free: number[] = [];
  private stopping = false;
  private readonly onStop: (() => void)[] = [];

  /** From the moment a stop is asked for. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** Requests that have no whole answer yet. */
  get requests(): number {
    return this.places.length - this.free.length;
  }

  /** @returns its place, for `delete` */
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

  /** Answers without an end of their own are ended when a stop is asked for. */
  whenStopping(stop: () => void): void {
    this.onStop.push(stop);
  }

  /** From now on the service is not ready, and each answer ends its connection, so that the caller's next one goes elsewhere. */
  begin(): void {
    this.stopping = true;
    for (const stop of this.onStop) stop();
    for (const response of this.places) if (response && !response.headersSent) response.setHeader('Connection', 'close');
  }

  /** Closes the port, and each connection when nothing is under way on it. @returns the timer that does so; clear it at the end */
  closePort(server: Server): NodeJS.Timeout {
    server.close();
    let busyAt = performance.now();
    return setInterval(() => {
      if (this.requests > 0) busyAt = performance.now();
      // Connections that have not sent anything yet do not count as idle, and would hold the server open for ever.
      if (performance.now() - busyAt > SILENT_MS) server.closeAllConnections();
      else server.closeIdleConnections();
    }, LOOK_MS);
  }
}
