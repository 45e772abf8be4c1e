import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidInput } from '../../platform/errors.js';
import { verify } from '../../webhooks/delivery/signature.js';

const HOST = '127.0.0.1';
const MAX_BODY = 4 * 1024 * 1024;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** What the receiver says of one request, a line of JSON each. */
export interface ReceivedEvent {
  at: string;
  /** Null when there is no secret to verify it with. */
  verified: boolean | null;
  /** Why the signature does not match; absent when it does. */
  reason?: string;
  /** Where it was passed on: the status that was answered, or why there was none. */
  forwarded?: { status: number } | { error: string };
  event: string | null;
  delivery: string | null;
  /** The envelope, or the text as it came when that is no JSON. */
  body: unknown;
}

/**
 * Receives order webhooks on the loopback address, as a partner's endpoint does: a line for each. Answers 401 when the signature
 * does not verify, else what `forwardTo` answers (502 when it answers nothing), else 204. Ends at SIGINT or SIGTERM.
 * @param port 0 takes a free one; @throws OperationError invalid_input for a port that is taken
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
        if (forwardTo !== undefined && !isRefused) event.forwarded = await forward(forwardTo, request.headers, body);
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
  await new Promise<void>((resolve) => (['SIGINT', 'SIGTERM'] as const).forEach((signal) => process.once(signal, resolve)));
  server.close();
  server.closeAllConnections();
}

const FORWARDED_HEADERS = ['content-type', 'user-agent', 'x-shop-event', 'x-shop-delivery', 'x-shop-signature'];
/** As long as the service waits for an endpoint. */
const FORWARD_MS = 10_000;

/** The same bytes and headers, so that what is listening there can verify them. */
async function forward(url: string, headers: IncomingHttpHeaders, body: Buffer): Promise<ReceivedEvent['forwarded']> {
  const passedOn = FORWARDED_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
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

/** Verifies a webhook request and, when it does not verify, finds out why as far as that can be seen. */
export function examine(secret: string | undefined, headers: IncomingHttpHeaders, body: Buffer): ReceivedEvent {
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
    return 'body altered: it was formatted anew on its way; the signature is of the bytes as they were sent';
  }
  const { id, event } = envelope as { id?: unknown; event?: unknown };
  if (id !== headerOf(headers, 'x-shop-delivery')) return 'body altered: its id is not that of the header X-Shop-Delivery';
  if (event !== headerOf(headers, 'x-shop-event')) return 'body altered: its event is not that of the header X-Shop-Event';
  return 'wrong secret, or a value in the body altered: is it the secret that was shown last, at the first save or a rotation?';
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
