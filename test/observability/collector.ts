import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually.js';

/** A span as in OTLP's JSON, with its attributes as an object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code?: number };
  attributes: Record<string, string | number>;
}

type Value = { stringValue?: string; intValue?: number; doubleValue?: number };
type Resource = {
  scopeSpans: {
    spans: (Omit<CollectedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] })[];
  }[];
};

/** Receives the spans that the service exports by OTLP over HTTP. */
export class Collector {
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<Collector> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.requests.push({
          path: request.url!,
          headers: request.headers,
          body: Buffer.concat(chunks),
        });
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    return collector;
  }

  /** The spans received so far, from requests in JSON. */
  get spans(): CollectedSpan[] {
    return this.requests.flatMap(({ body }) =>
      (JSON.parse(body.toString()) as { resourceSpans: Resource[] }).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            attributes: Object.fromEntries(
              span.attributes.map(({ key, value }) => [
                key,
                value.stringValue ?? Number(value.intValue ?? value.doubleValue),
              ]),
            ),
          })),
        ),
      ),
    );
  }

  /** Waits for a trace's span with this name. */
  async waitFor(traceId: string, name: string): Promise<CollectedSpan> {
    let found: CollectedSpan | undefined;
    await eventually(`the span ${name} came`, () => {
      found = this.spans.find((span) => span.traceId === traceId && span.name === name);
      return found;
    });
    return found!;
  }
}
