import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import type { Tracer } from './tracer.js';

/**
 * Set while OTEL_EXPORTER_OTLP_ENDPOINT names a collector. The rest of tracing is loaded only then. Code that
 * reports something checks this first, and without a collector that is the only cost.
 */
export let tracer: Tracer | null = null;

/** Must be called before the first connection is opened, because open connections are not traced. */
export async function startTracing({ otlpEndpoint, otlpHeaders }: Config, log: Logger): Promise<void> {
  if (otlpEndpoint === null) return;
  // The SDK reads them there only, and they may have been in a file.
  if (otlpHeaders !== null) process.env.OTEL_EXPORTER_OTLP_HEADERS = otlpHeaders;
  const { OpenTelemetry } = await import('./opentelemetry.js');
  tracer = await OpenTelemetry.start(otlpEndpoint, log);
}

export async function stopTracing(): Promise<void> {
  const started = tracer;
  tracer = null;
  await started?.close();
}
