import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../../platform/schema/json/parse-input.js';

/**
 * Up to 2025-11-25, client and server agree on a revision when they connect. Since 2026-07-28, each message
 * names its own.
 */
export type ProtocolEra = 'legacy' | 'modern';

/** A `tools/call` that needs nothing but its answer. */
export interface PlainCall {
  id: string | number;
  params: { name: string; _meta?: Record<string, unknown> };
  era: ProtocolEra;
}

/** The two forms of an answer: JSON, or a stream with progress before the result. */
export const BOTH_FORMS = 'application/json, text/event-stream';

/** Without an Accept header any form is acceptable (RFC 9110 §12.5.1). */
export const acceptsAnything = (accept: string | null | undefined) => !accept || accept.includes('*/*');

const acceptsBoth = (accept = '') =>
  accept.includes('application/json') && accept.includes('text/event-stream');

const METHOD = 'tools/call';
const MODERN_REVISION = '2026-07-28';
const MODERN_META = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY];

/**
 * Recognizes a `tools/call` in its usual form, which can be answered without a protocol server and web
 * streams, whose cost is four times that of the call. Anything unusual or wrong is left to the protocol's own
 * code, which explains it. A test compares the answers of both.
 * @returns null for everything else
 */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | null {
  if (!acceptsAnything(headers.accept) && !acceptsBoth(headers.accept)) return null;
  if (!isPlainObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== METHOD) return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!isPlainObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return null;
  const { name, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isPlainObject(meta)) return null;
  // The keys that the protocol itself reads. Others belong to the caller or to this service.
  const ofProtocol = Object.keys(meta).filter(
    (key) => key === 'progressToken' || key.startsWith('io.modelcontextprotocol/'),
  );
  const isUsual =
    ofProtocol.length === 0 ? isLegacy(headers) : isModern(headers, ofProtocol, name, message, meta);
  if (!isUsual) return null;
  return {
    id: id as string | number,
    params: params as unknown as PlainCall['params'],
    era: ofProtocol.length ? 'modern' : 'legacy',
  };
}

function isLegacy({ 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

/** Each message describes its client, and headers repeat the method and the tool. */
function isModern(
  headers: IncomingHttpHeaders,
  ofProtocol: string[],
  name: string,
  body: object,
  meta: Record<string, unknown>,
): boolean {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': named } = headers;
  if (version !== MODERN_REVISION || method !== METHOD || named !== name) return false;
  if (ofProtocol.length !== MODERN_META.length || !MODERN_META.every((key) => ofProtocol.includes(key)))
    return false;
  return isKnownClient(version, body, meta);
}

/**
 * Descriptions of clients, as JSON, that the protocol's code has accepted. Checking one takes longer than
 * everything else here.
 */
const knownClients = new Set<string>();
const MOST_CLIENTS = 1_000;
const LONGEST_CLIENT = 2_000;

function isKnownClient(version: string, body: object, meta: Record<string, unknown>): boolean {
  const text = JSON.stringify(MODERN_META.map((key) => meta[key]));
  if (knownClients.has(text)) return true;
  if (classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: version, body }).kind !== 'modern')
    return false;
  if (knownClients.size >= MOST_CLIENTS) knownClients.clear();
  if (text.length <= LONGEST_CLIENT) knownClients.add(text);
  return true;
}

const hasOnly = (object: object, known: string[]) => Object.keys(object).every((key) => known.includes(key));
