import type { IncomingMessage, ServerResponse } from 'node:http';

/** The attributes of a span. They never contain a value that a caller sent, or a secret. */
export type Attributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  attributes: Attributes;
  /**
   * The `traceparent` that the span continues; null begins a new trace. By default it is a child of the
   * current span.
   */
  parent?: string | null;
  /** Whether the span is a request to another server, which continues the trace. */
  outgoing?: true;
}

/** Sends spans of what this process does to a collector. */
export interface Tracer {
  /** Runs `next` as the request's span, which continues the caller's trace and ends with the response. */
  request(request: IncomingMessage, response: ServerResponse, next: (traceId: string) => void): void;
  /** Runs `work` as a span. @param work gets the span's `traceparent`, to pass on to other servers */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: (traceparent: string) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Begins the span of a statement inside the current span. @returns a function that ends it; null if there
   * is no current span
   */
  statement(query: { name?: string; text: string }): ((error?: Error | null) => void) | null;
  /** The `traceparent` of the current span; null if there is none. */
  readonly traceparent: string | null;
  /** Sends the remaining spans, for as long as a stop may wait. */
  close(): Promise<void>;
}
