import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';

/** What a span says. Never a value that a caller sent, never a secret. */
export type Attributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  attributes: Attributes;
  /** The `traceparent` that the span continues; null begins a trace. Left out, the span is part of what is under way. */
  parent?: string | null;
  /** Asks another server, which continues the trace. */
  outgoing?: true;
}

/** Sends a collector what this process does, span by span. */
export interface Tracer {
  /** Runs `next` as the request's span, which continues the caller's trace and ends with the response. */
  request(request: IncomingMessage, response: ServerResponse, next: (traceId: string) => void): void;
  /** Runs `work` as a span. @param work is given the span's `traceparent`, for whom it asks */
  span<Result>(name: string, options: SpanOptions, work: (traceparent: string) => Promise<Result>): Promise<Result>;
  /** Begins the span of a statement; only as part of what is under way. @returns ends it, null where nothing is under way */
  statement(query: { name?: string; text: string }): ((error?: Error | null) => void) | null;
  /** Of the span under way; null outside one. */
  readonly traceparent: string | null;
  /** Sends what has not been sent yet, for as long as a stop may wait. */
  close(): Promise<void>;
}

/**
 * There while OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Everything else of tracing is loaded only then: whoever has something
 * to report looks here first, and without a collector that is all it costs.
 */
export let tracer: Tracer | null = null;

/** Before the first connection is opened: one that is open already is not watched. */
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
