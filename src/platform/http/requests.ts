import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { BODY_UNIT, type CapName, type Caps } from '../caps/caps.js';
import { BYTE_ORDER_MARK } from '../text/byte-order-mark.js';
import { bareAddress } from '../text/network.js';
import type { Call } from '../store/call.js';
import { invalidInput } from '../errors.js';
import { parseInput } from '../schema/json/parse-input.js';
import type { Logger } from '../logging/logger.js';
import { requestProblem } from './bounds.js';
import { type Drain, signalOf } from './drain.js';
import { append } from './grow-buffer.js';
import type { Metrics } from '../observability/metrics.js';
import { tracer } from '../observability/tracing.js';

declare module 'express-serve-static-core' {
  interface Request {
    call: Call;
  }
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/**
 * Gives every request its call: an id, the caller's address, and the body, which is read when the endpoint
 * asks for it, so that a bad token is refused first (docs/behaviour.md §1.4). Every answer has X-Request-Id
 * and is logged once.
 */
export function requests(log: Logger, metrics: Metrics, drain: Drain, caps: Caps, trustedProxies: number) {
  // No field of a request's line is secret, and looking for secrets takes ten times as long as writing it.
  const lines = log.child({}, { redact: [] });
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && PRINTABLE.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    request.url = withoutBrokenEscapes(request.url);
    request.call = {
      transport: 'http',
      auth: {},
      timing: {},
      requestId,
      headers: request.headers,
      address: callerAddress(request, trustedProxies),
      setHeader: (name, value) => void (response.headersSent || response.setHeader(name, value)),
      body: (parse = parseInput, max) => readJson(request, caps, parse, max),
      bytes: (max) => readFile(request, caps, max),
      signal: signalOf(response),
    };
    const place = drain.add(response);
    response.on('close', () => {
      drain.delete(place);
      const { auth, timing } = request.call;
      const { principal } = auth;
      // A stream may be open for hours, so its duration is the time until it began.
      const { streamsSince = performance.now(), waitedMs = 0 } = timing;
      const ms = streamsSince - startedAt - waitedMs;
      // 499, as in nginx: the caller disconnected before the answer.
      const status = response.writableEnded ? response.statusCode : 499;
      metrics.request(String(request.route?.path ?? 'none'), status, ms / 1000, principal?.storeId);
      const line = {
        requestId,
        operation: request.call.operation,
        traceId: request.call.traceId,
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        status,
        ms: Math.round(ms * 10) / 10,
        storeId: principal?.storeId,
        actor: principal?.actor.id ?? undefined,
      };
      lines.info(line, 'request');
    });
    if (!isForOneHost(request)) return refuse(response, 'The request must have one Host header');
    const problem = isSmall(request) ? null : requestProblem(request);
    if (problem !== null) return refuse(response, problem);
    if (!tracer) return next();
    tracer.request(request, response, (traceId) => {
      request.call.traceId = traceId;
      next();
    });
  };
}

/** A request with no or two Host headers may be routed elsewhere (RFC 9112 §3.2). HTTP/1.0 has none. */
function isForOneHost({ rawHeaders, httpVersionMinor }: Request): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

function refuse(response: Response, problem: string): void {
  const refusal = invalidInput(problem);
  response.status(refusal.status).set('Connection', 'close').json(refusal.envelope());
}

/**
 * Escapes a malformed path, which the router would otherwise refuse before the token is checked
 * (docs/behaviour.md §1.4).
 */
function withoutBrokenEscapes(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?', 1)[0]);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/**
 * Behind n proxies the caller is the n-th address from the right. Anybody can write the addresses further
 * left.
 */
function callerAddress(request: Request, trustedProxies: number): string {
  const socket = request.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return socket;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const caller = forwarded.at(-trustedProxies)?.trim();
  return caller ? (bareAddress(caller) ?? caller) : socket;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
/** How long any body may take that is no file. */
const LONGEST_MS = 30_000;
/** From then on a body must keep the pace, each second. */
const GRACE_MS = 5_000;
const LOOK_MS = 1_000;
const BYTES_A_SECOND = 10_000;

interface Reading {
  /** How long the body may take; what its sender waits for us does not count. */
  longestMs: number;
  /** The most bytes that will be kept. */
  expected: number;
  /** Waits for room for so many units of memory. @returns a function that gives it back */
  place(weight: number): (() => void) | Promise<() => void>;
  tooSlow(): Error;
}
const NOT_UTF_8 = 'The body must be UTF-8 JSON';

/**
 * Reads and parses a JSON body. It is read only now, when the caller is known, so that a stranger's body
 * takes no memory. A missing or empty body counts as `{}` (docs/behaviour.md §1.1).
 * @throws OperationError invalid_input for a body that is not JSON or is larger than `max` bytes
 */
async function readJson(
  request: Request,
  caps: Caps,
  parse: (text: string) => unknown,
  max = MIB,
): Promise<unknown> {
  const text = await readText(request, caps, max);
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof SyntaxError ? invalidInput('The body must be valid JSON') : error;
  }
}

async function readText(request: Request, caps: Caps, max: number): Promise<string> {
  const { headers } = request;
  if (!hasBody(headers)) return '{}';
  const type = headers['content-type'];
  // A chunked body without a type may be empty, which it shows only when it is read.
  if (type === undefined ? headers['transfer-encoding'] === undefined : !JSON_TYPE.test(type))
    throw invalidInput('Content-Type must be application/json');
  const encoding = headers['content-encoding'];
  // It is refused unread, because a kilobyte of it can expand to a gigabyte.
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw invalidInput('The body must not be compressed: Content-Encoding is not supported');
  const [, charset = 'utf-8'] = CHARSET.exec(type ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) throw invalidInput(NOT_UTF_8);
  const body = await read(request, caps, max);
  if (!body) throw tooLarge('body', max);
  if (body.length === 0) return '{}';
  if (type === undefined) throw invalidInput('Content-Type must be application/json');
  // Decoding would silently put a replacement character in place of an invalid byte.
  if (!isUtf8(body)) throw invalidInput(NOT_UTF_8);
  const text = body.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Reads a file. @throws OperationError invalid_input for one of more than `max` bytes */
async function readFile(request: Request, caps: Caps, max: number): Promise<Buffer> {
  const { headers } = request;
  if (headers['content-encoding'] !== undefined) throw invalidInput('The file must not be compressed');
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge('file', max);
  const file = await read(request, caps, max);
  if (!file) throw tooLarge('file', max);
  return file;
}

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function tooLarge(what: string, max: number) {
  const most = max < MIB ? `${max / KIB} KiB` : `${max / MIB} MiB`;
  return invalidInput(`The ${what} must not be larger than ${most}`).about('file_most', { most });
}

const isSmall = ({ url, rawHeaders }: Request) =>
  url.length < 500 && rawHeaders.length < 100 && !url.includes('?');

/** Nothing is counted for a body that comes in one piece with the headers, as nearly every one does. */
function read(request: Request, caps: Caps, max: number): Promise<Buffer | null> {
  const { call, headers } = request;
  const { principal, caller, isUnknown } = call.auth;
  const isKnown = principal !== undefined || (caller !== undefined && !isUnknown);
  const userId = principal?.actor.kind === 'user' ? principal.actor.id! : undefined;
  const holder = { storeId: principal?.storeId, userId, address: call.address };
  const name: CapName = max > MIB ? 'files' : isKnown ? 'bodies' : 'strangersBodies';
  return readSlowly(request, max, {
    longestMs: max > MIB ? Infinity : LONGEST_MS,
    expected: Math.min(max, Number(headers['content-length'] ?? max)),
    place: (weight) => caps.wait(name, holder, { call, weight }),
    tooSlow: () => {
      call.setHeader('Connection', 'close');
      return invalidInput('The body was not sent in time: a large one must keep up 10 kB a second');
    },
  });
}

/**
 * Reads a body. One that is larger than 16 KiB and has not come at once takes a share of the memory for
 * unfinished bodies, and is not read on before it has it. One that comes too slowly is given up, because
 * whoever holds a body open holds that memory (docs/behaviour.md §2.6).
 * @returns null for more than `max` bytes, which are read to their end but not kept
 */
export function readSlowly(
  request: Request,
  max: number,
  { longestMs, expected, place, tooSlow }: Reading,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    // The caller may have gone while the guard looked for the token.
    if (request.destroyed) return reject(unreadable());
    let body: Buffer | null = null;
    let size = 0;
    let seen = 0;
    let elapsed = 0;
    let isPlaced = false;
    let isOver = false;
    let free = (): void => undefined;
    let timer: NodeJS.Timeout;
    const over = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      free();
      return true;
    };
    const look = (since: number): void => {
      elapsed += since;
      const isSlow =
        !request.isPaused() && size - seen < (BYTES_A_SECOND * since) / 1_000 && elapsed > GRACE_MS;
      if ((isSlow || elapsed >= longestMs) && over()) return reject(tooSlow());
      seen = size;
      timer = setTimeout(look, LOOK_MS, LOOK_MS);
    };
    timer = setTimeout(look, GRACE_MS, GRACE_MS);
    const waitForPlace = async (): Promise<void> => {
      request.pause();
      try {
        const given = await place(Math.ceil(expected / BODY_UNIT));
        if (isOver) return given();
        free = given;
        request.resume();
      } catch (error) {
        if (over()) reject(error as Error);
        request.resume();
      }
    };
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > max || isOver) body = null;
      else body = body ? append(body, piece, size, max) : piece;
      if (size <= BODY_UNIT || isPlaced || size === expected) return;
      isPlaced = true;
      void waitForPlace();
    });
    request.on('end', () => {
      if (over()) resolve(size > max ? null : (body?.subarray(0, size) ?? Buffer.alloc(0)));
    });
    request.on('close', () => {
      if (!request.readableEnded && over()) reject(unreadable());
    });
  });
}

const unreadable = () => invalidInput('The body could not be read');
