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
  verified: boolean;
  /** Why the signature does not match; absent when it does. */
  reason?: string;
  event: string | null;
  delivery: string | null;
  /** The envelope, or the text as it came when that is no JSON. */
  body: unknown;
}

/**
 * Receives order webhooks on the loopback address, as a partner's endpoint does: a line for each, 204 when its signature verifies
 * and 401 when it does not. Ends at SIGINT or SIGTERM.
 * @param port 0 takes a free one; @throws OperationError invalid_input for a port that is taken
 */
export async function listenForWebhooks(port: number, secret: string): Promise<void> {
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const event = examine(secret, request.headers, body);
        process.stdout.write(`${JSON.stringify(event)}\n`);
        response.writeHead(event.verified ? 204 : 401).end();
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

/** Verifies a webhook request and, when it does not verify, finds out why as far as that can be told. */
export function examine(secret: string, headers: IncomingHttpHeaders, body: Buffer): ReceivedEvent {
  const reason = problemOf(secret, headers, body);
  const text = body.toString('utf8');
  return {
    at: new Date().toISOString(),
    verified: reason === null,
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
