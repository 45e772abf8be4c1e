import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as SpanSource,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ConfigurationError } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { within } from '../timers.js';
import { VERSION } from '../version.js';
import type { SpanOptions, Tracer } from './tracer.js';

/** The longest that a stop waits for a collector that does not answer. */
const CLOSE_MS = 2_000;
/** An unavailable collector is reported at most once in this time. */
const REPORT_MS = 60_000;
const MOST_TEXT = 2_000;

/** The samplers of https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/. */
const SAMPLERS: Record<string, (ratio: Sampler) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => ratio,
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: ratio }),
};

/**
 * Creates spans with OpenTelemetry's SDK and sends them by OTLP over HTTP. The asynchronous context holds the
 * current span.
 */
export class OpenTelemetry implements Tracer {
  private readonly underWay = new AsyncLocalStorage<Context>();
  private readonly propagator = new W3CTraceContextPropagator();

  private constructor(
    private readonly provider: TracerProvider,
    private readonly spans: SpanSource,
  ) {}

  /**
   * The SDK's other variables apply too: OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_PROTOCOL
   * (http/protobuf or http/json), OTEL_TRACES_SAMPLER with its ARG, OTEL_SERVICE_NAME,
   * OTEL_RESOURCE_ATTRIBUTES.
   * @param endpoint the collector; spans are sent to `/v1/traces` below it
   * @throws ConfigurationError for an unknown sampler or protocol
   */
  static async start(endpoint: string, log: Logger): Promise<OpenTelemetry> {
    reportErrors(log);
    const sampler = samplerOf(process.env);
    const exporter = await exporterTo(`${endpoint}/v1/traces`, process.env.OTEL_EXPORTER_OTLP_PROTOCOL);
    const ours = resourceFromAttributes({
      'service.name': 'shop',
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
    });
    const resource = defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] }));
    const spanProcessors = [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })];
    const provider = new TracerProvider({ resource, sampler, spanProcessors });
    return new OpenTelemetry(provider, provider.getTracer('shop', VERSION));
  }

  get traceparent(): string | null {
    const context = this.underWay.getStore();
    return context ? this.traceparentOf(context) : null;
  }

  request(request: IncomingMessage, response: ServerResponse, next: (traceId: string) => void): void {
    const method = request.method!;
    const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': method };
    const span = this.spans.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      // The matched route, never the raw path, which may be anything, even a secret.
      const route = (request as { route?: { path?: unknown } }).route?.path;
      if (route !== undefined)
        span.updateName(`${method} ${String(route)}`).setAttribute('http.route', String(route));
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.underWay.run(trace.setSpan(parent, span), next, span.spanContext().traceId);
  }

  async span<Result>(
    name: string,
    { attributes, parent, outgoing }: SpanOptions,
    work: (traceparent: string) => Promise<Result>,
  ): Promise<Result> {
    const around = parent === undefined ? (this.underWay.getStore() ?? ROOT_CONTEXT) : this.contextOf(parent);
    const span = this.spans.startSpan(
      name,
      { kind: outgoing ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
      around,
    );
    const context = trace.setSpan(around, span);
    try {
      return await this.underWay.run(context, work, this.traceparentOf(context)!);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  statement({ name, text }: { name?: string; text: string }): ((error?: Error | null) => void) | null {
    const context = this.underWay.getStore();
    if (!context || !trace.getSpan(context)?.isRecording()) return null;
    const summary = summaryOf(text);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      // Named statements are the service's own fixed texts. Another text might contain a value.
      'db.query.text': name === undefined ? undefined : text.slice(0, MOST_TEXT),
    };
    const span = this.spans.startSpan(name ?? summary, { kind: SpanKind.CLIENT, attributes }, context);
    return (error) => {
      if (error) fail(span, error);
      span.end();
    };
  }

  async close(): Promise<void> {
    const closed = this.provider.shutdown().catch(() => undefined);
    await within(CLOSE_MS, closed, () => undefined);
  }

  private contextOf(traceparent: string | null): Context {
    return traceparent === null
      ? ROOT_CONTEXT
      : this.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
  }

  private traceparentOf(context: Context): string | null {
    const carrier: { traceparent?: string } = {};
    this.propagator.inject(context, carrier, defaultTextMapSetter);
    return carrier.traceparent ?? null;
  }
}

/**
 * Records the code but not the message, because the database's messages contain values. A refusal does not
 * count as a failure.
 */
function fail(span: Span, error: unknown): void {
  const { code, name, status = 500 } = error as { code?: unknown; name?: unknown; status?: number };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The verb and the first table of a statement, such as `SELECT orders`. */
function summaryOf(text: string): string {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table = ''] = /\b(?:from|into|update|join)\s+(?:only\s+)?"?(\w+)/i.exec(text) ?? [];
  return `${verb.toUpperCase()} ${table}`.trimEnd();
}

/** @throws ConfigurationError */
function samplerOf({
  OTEL_TRACES_SAMPLER: name = 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: ratio = '1',
}: NodeJS.ProcessEnv) {
  const sampler = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined;
  if (!sampler)
    throw new ConfigurationError(`OTEL_TRACES_SAMPLER: must be one of ${Object.keys(SAMPLERS).join(', ')}`);
  if (!(Number(ratio) >= 0 && Number(ratio) <= 1)) {
    throw new ConfigurationError('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1');
  }
  return sampler(new TraceIdRatioBasedSampler(Number(ratio)));
}

/** @throws ConfigurationError */
async function exporterTo(url: string, protocol = 'http/protobuf') {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter({ url });
  }
  if (protocol !== 'http/protobuf') {
    throw new ConfigurationError('OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json');
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url });
}

/** Spans that cannot be sent are dropped. That does not affect the service, but its operator is told. */
function reportErrors(log: Logger): void {
  let reported = -Infinity;
  setGlobalErrorHandler((error) => {
    if (performance.now() - reported < REPORT_MS) return;
    reported = performance.now();
    log.warn(
      { reason: typeof error === 'string' ? error : error.message },
      'spans could not be sent to the collector',
    );
  });
}
