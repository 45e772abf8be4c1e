import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidInput } from '../../platform/errors.js';
import { verify } from '../../webhooks/delivery/signature.js';

const HOST = '127.0.0.1';
const MAX_BODY = 4 * 1024 * 1024;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** The report about one request, which is printed as a line of JSON. */
interface ReceivedEvent {
  at: string;
  /** Whether the signature matches; null without a secret. */
  verified: boolean | null;
  /** Why the signature does not match; absent if it does. */
  reason?: string;
  /**
   * The result of forwarding: the status of the answer, or why there was none. Absent if the request was not
   * forwarded.
   */
  forwarded?: { status: number } | { error: string };
  event: string | null;
  delivery: string | null;
  /** The envelope, or the unchanged text if it is not JSON. */
  body: unknown;
}

/**
 * Receives order webhooks on the loopback address, like the endpoint of a partner, and prints a line for
 * each. Answers 401 if the signature does not match, otherwise the status of `forwardTo` (502 if it does not
 * answer), or 204 without `forwardTo`. Ends at SIGINT or SIGTERM.
 * @param port 0 for any free port
 * @throws OperationError invalid_input if the port cannot be used
 */
export async function listenForWebhooks(
  port: number,
  { secret, forwardTo }: { secret?: string; forwardTo?: string },
): Promise<void> {
  const server = createServer((request, response) => {
    readBody(request).then(
      async (body) => {
        const event = examine(secret, request.headers, body);
        const isRefused = event.verified === false;
        if (forwardTo !== undefined && !isRefused)
          event.forwarded = await forward(forwardTo, request.headers, body);
        process.stdout.write(`${JSON.stringify(event)}\n`);
        response.writeHead(isRefused ? 401 : statusOf(event.forwarded)).end();
      },
      () => response.writeHead(413, { Connection: 'close' }).end(),
    );
  });
  server.listen(port, HOST);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw invalidInput(`port ${port} cannot be listened on: ${error.code}`);
  });
  process.stderr.write(`Receiving webhooks on http://${HOST}:${(server.address() as AddressInfo).port}\n`);
  try {
    await new Promise<void>((resolve, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
      process.stdout.once('error', (error) =>
        reject(new Error(`what arrives could not be written: ${error.message}`)),
      );
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const FORWARDED_HEADERS = [
  'content-type',
  'user-agent',
  'x-shop-event',
  'x-shop-delivery',
  'x-shop-signature',
  'x-request-id',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];
/** How long the service waits for an endpoint. */
const FORWARD_MS = 10_000;

/** Forwards the same bytes and headers, so that the program at the URL can verify them. */
async function forward(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<ReceivedEvent['forwarded']> {
  const passedOn = FORWARDED_HEADERS.flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
  );
  try {
    const signal = AbortSignal.timeout(FORWARD_MS);
    const init = { method: 'POST', headers: Object.fromEntries(passedOn) as Record<string, string>, signal };
    const answer = await fetch(url, { ...init, body: Uint8Array.from(body), redirect: 'manual' });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return { error: cause?.message || message };
  }
}

const statusOf = (forwarded: ReceivedEvent['forwarded']) =>
  forwarded === undefined ? 204 : 'status' in forwarded ? forwarded.status : 502;

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Verifies a webhook request. If the signature does not match, the report has the reason, as far as it can be
 * determined.
 */
export function examine(
  secret: string | undefined,
  headers: IncomingHttpHeaders,
  body: Buffer,
): ReceivedEvent {
  const reason = secret === undefined ? null : problemOf(secret, headers, body);
  const text = body.toString('utf8');
  return {
    at: new Date().toISOString(),
    verified: secret === undefined ? null : reason === null,
    ...(reason === null ? {} : { reason }),
    event: headerOf(headers, 'x-shop-event'),
    delivery: headerOf(headers, 'x-shop-delivery'),
    body: parsed(text) ?? text,
  };
}

function problemOf(secret: string, headers: IncomingHttpHeaders, body: Buffer): string | null {
  const signature = headerOf(headers, 'x-shop-signature');
  if (signature === null) return 'the header X-Shop-Signature is missing';
  if (verify(secret, body, signature)) return null;
  if (!SIGNATURE.test(signature)) return 'X-Shop-Signature is not 64 lowercase hexadecimal digits';
  if (verify(secret.replace(/^whsec_/, ''), body, signature)) {
    return 'wrong secret: the body was signed without whsec_, which is part of the secret';
  }
  const envelope = parsed(body.toString('utf8'));
  if (envelope === undefined) return 'body altered: it is no JSON object';
  if (verify(secret, Buffer.from(JSON.stringify(envelope)), signature)) {
    return 'body altered: it was reformatted on its way; the signature is of the bytes as they were sent';
  }
  const { id, event } = envelope as { id?: unknown; event?: unknown };
  if (id !== headerOf(headers, 'x-shop-delivery'))
    return 'body altered: its id is not that of the header X-Shop-Delivery';
  if (event !== headerOf(headers, 'x-shop-event'))
    return 'body altered: its event is not that of the header X-Shop-Event';
  return (
    'wrong secret, or a value in the body altered: is it the secret that was shown last, at the first save ' +
    'or a rotation?'
  );
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
