import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTracing } from '../../src/platform/observability/tracing.js';
import { Collector, type CollectedSpan } from './collector.js';
import { ownDatabase, preparedDatabase } from '../support/database/own-database.js';
import { Receiver } from '../support/servers/receiver.js';
import { ServiceProcess } from '../support/servers/service-process.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

const caller = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
};

/**
 * One trace, from the balancer by the call and its statements to the webhook and beyond (docs/operations.md,
 * Traces).
 */
describe('spans', () => {
  let collector: Collector;
  let receiver: Receiver;
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json';
    collector = await Collector.start();
    receiver = await Receiver.start();
    const database = await ownDatabase();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` };
    app = await TestApp.start({ database, env: { ...env, SHOP_ROLES: 'web,deliver' } });
    store = await app.store();
    await store.inside((ctx) =>
      app.nest.get(WebhookEndpoints).save(ctx, `${receiver.url}?key=s3cret-in-the-url`),
    );
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
    await collector.stop();
    delete process.env.OTEL_EXPORTER_OTLP_PROTOCOL;
  });

  const post = (operation: string, input: object, traceparent: string, scope: 'read' | 'write' = 'write') =>
    app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${store.tokens[scope]}`, traceparent });
  const childOf = (parent: CollectedSpan) => (span: CollectedSpan) => span.parentSpanId === parent.spanId;

  it('join the balancer, the call, its statements and the webhook, which carries the trace on', async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    await receiver.waitFor(1);
    const { traceId, spanId, traceparent } = caller();
    expect((await post('set_order_status', { orderId, status: 'PROCESSING' }, traceparent)).status).toBe(200);
    const [, webhook] = await receiver.waitFor(2);

    const delivery = await collector.waitFor(traceId, 'deliver order.updated');
    const request = await collector.waitFor(traceId, 'POST /v1/set_order_status');
    const call = await collector.waitFor(traceId, 'set_order_status');
    const commit = await collector.waitFor(traceId, 'COMMIT');
    expect(request).toMatchObject({
      kind: SERVER,
      parentSpanId: spanId,
      attributes: { 'http.response.status_code': 200 },
    });
    expect(call).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'shop.store_id': store.id, 'shop.transport': 'http' },
    });
    expect(commit).toMatchObject({ kind: CLIENT, parentSpanId: call.spanId });
    const statements = collector.spans
      .filter(childOf(call))
      .filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'set_store', 'COMMIT']),
    );
    expect(delivery).toMatchObject({ kind: CLIENT, parentSpanId: call.spanId });
    expect(delivery.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'shop.attempt': 1,
      'shop.store_id': store.id,
    });
    expect(webhook.headers.traceparent).toBe(`00-${traceId}-${delivery.spanId}-01`);
  });

  it('hold no value that was sent, and no secret', async () => {
    const { traceId, traceparent } = caller();
    await post('list_customers', { search: 'Anastasia-Unique' }, traceparent, 'read');
    await post('create_brand', { name: 'Unique-Brand-Name', slug: 'unique-brand-slug' }, traceparent);
    await collector.waitFor(traceId, 'POST /v1/create_brand');
    const texts = collector.spans.flatMap(({ attributes }) => attributes['db.query.text'] ?? []);
    expect(texts.length).toBeGreaterThan(0);
    const all = Buffer.concat(collector.requests.map(({ body }) => body)).toString();
    for (const secret of [
      'Anastasia-Unique',
      'Unique-Brand-Name',
      'unique-brand-slug',
      's3cret-in-the-url',
      store.tokens.write,
    ]) {
      expect(all).not.toContain(secret);
    }
  });

  it('tell a refusal by its code, and are no failure for it', async () => {
    const { traceId, traceparent } = caller();
    expect((await post('get_order', { orderId: 999_999_999 }, traceparent, 'read')).status).toBe(404);
    const call = await collector.waitFor(traceId, 'get_order');
    expect(call.attributes['error.type']).toBe('not_found');
    expect(call.status?.code).not.toBe(ERROR);
  });

  it('name the tool of an MCP call', async () => {
    const { traceId, traceparent } = caller();
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_brands', arguments: {} },
    };
    const headers = {
      Authorization: `Bearer ${store.tokens.read}`,
      Accept: 'application/json, text/event-stream',
      traceparent,
    };
    await app.post('/mcp', message, headers);
    const request = await collector.waitFor(traceId, 'POST /mcp');
    expect(await collector.waitFor(traceId, 'list_brands')).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'shop.transport': 'mcp' },
    });
  });

  it('are not made for a caller who says that the trace is not recorded, but the trace goes on', async () => {
    const { productId } = await store.product();
    const before = receiver.received.length;
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    await receiver.waitFor(before + 1);
    const { traceId, traceparent } = caller('00');
    await post('set_order_status', { orderId, status: 'PROCESSING' }, traceparent);
    const webhook = (await receiver.waitFor(before + 2))[before + 1];
    expect(webhook.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    const { traceId: next, traceparent: recorded } = caller();
    await post('list_brands', {}, recorded, 'read');
    await collector.waitFor(next, 'list_brands');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

describe('tracing', () => {
  it('refuses an unknown sampler or protocol', async () => {
    const config = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    const start = () => startTracing(config, createLogger('silent'));
    try {
      process.env.OTEL_TRACES_SAMPLER = 'sometimes';
      await expect(start()).rejects.toThrow(/^OTEL_TRACES_SAMPLER: must be one of always_on, /);
      delete process.env.OTEL_TRACES_SAMPLER;
      process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'grpc';
      await expect(start()).rejects.toThrow(
        'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json',
      );
    } finally {
      delete process.env.OTEL_TRACES_SAMPLER;
      delete process.env.OTEL_EXPORTER_OTLP_PROTOCOL;
    }
  });

  /**
   * Runs the built service for one request. @returns the names of the packages of OpenTelemetry that its
   * scripts hold
   */
  async function packagesOf(env: Record<string, string>): Promise<string[]> {
    const { ownerUrl } = await preparedDatabase();
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-scripts-'));
    try {
      const service = await ServiceProcess.start({
        DATABASE_URL: ownerUrl,
        ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
        NODE_V8_COVERAGE: folder,
        ...env,
      });
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      expect(await service.stop()).toBe(0);
      const scripts = readdirSync(folder).flatMap(
        (file) =>
          (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { result: { url: string }[] }).result,
      );
      const texts = scripts
        .filter(({ url }) => url.startsWith('file:'))
        .map(({ url }) => readFileSync(new URL(url), 'utf8'));
      const names = texts.flatMap(
        (text) => text.match(/(?<=^\/\/ .*node_modules\/@opentelemetry\/)[^/]+/gm) ?? [],
      );
      return [...new Set(names)].sort();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  // The metrics' own library loads the API, which does nothing by itself.
  it('loads no OpenTelemetry package without a collector', async () => {
    expect(await packagesOf({})).toEqual(['api']);
  });

  it('sends the remaining spans when the service stops, as protobuf by default', async () => {
    const collector = await Collector.start();
    const packages = await packagesOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
      OTEL_SERVICE_NAME: 'corner-shop',
    });
    expect(packages).toEqual(expect.arrayContaining(['api', 'exporter-trace-otlp-proto', 'sdk-trace']));
    await collector.stop();
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf', 'x-collector-key': 'abc' },
    });
    const sent = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1');
    expect(sent).toContain('GET /health/ready');
    expect(sent).toContain('corner-shop');
  });
});
