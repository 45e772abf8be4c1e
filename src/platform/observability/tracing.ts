import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';

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

/**
 * Set while OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The rest of tracing is loaded only then. Code that
 * reports something checks this first, and without a collector that is the only cost.
 */
export let tracer: Tracer | null = null;

/** Must be called before the first connection is opened, because open connections are not traced. */
export async function startTracing({ otlpEndpoint }: Config, log: Logger): Promise<void> {
  if (otlpEndpoint === null) return;
  const { OpenTelemetry } = await import('./opentelemetry.js');
  tracer = await OpenTelemetry.start(otlpEndpoint, log);
}

export async function stopTracing(): Promise<void> {
  const started = tracer;
  tracer = null;
  await started?.close();
}
