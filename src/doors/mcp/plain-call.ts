import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../../platform/schema/fields.js';

/** Revisions up to 2025-11-25 agree on one when they connect; since 2026-07-28 each message names its own. */
export type ProtocolEra = 'legacy' | 'modern';

/** A `tools/call` that asks for nothing but its answer. */
export interface PlainCall {
  id: string | number;
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
  era: ProtocolEra;
}

/** Both forms an answer may have: JSON, or a stream where progress comes first. */
export const BOTH_FORMS = 'application/json, text/event-stream';

/** No Accept header means that anything will do (RFC 9110 §12.5.1). */
export const acceptsAnything = (accept: string | null | undefined) => !accept || accept.includes('*/*');

const acceptsBoth = (accept = '') => accept.includes('application/json') && accept.includes('text/event-stream');

const METHOD = 'tools/call';
const MODERN_REVISION = '2026-07-28';
const MODERN_META = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY];

/**
 * Recognizes a `tools/call` in its usual form, which can be answered without a protocol server of its own and web streams; those
 * cost four times the call. Whatever is unusual or wrong is not recognized and goes the whole way, so that the protocol's own code
 * explains it; a test holds both to the same answers.
 * @returns null for everything else
 */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | null {
  if (!acceptsAnything(headers.accept) && !acceptsBoth(headers.accept)) return null;
  if (!isPlainObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== METHOD) return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!isPlainObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return null;
  const { name, arguments: input, _meta: meta = {} } = params;
  if (typeof name !== 'string' || (input !== undefined && !isPlainObject(input)) || !isPlainObject(meta)) return null;
  // What the protocol itself reads; the rest is the caller's, or ours.
  const ofProtocol = Object.keys(meta).filter((key) => key === 'progressToken' || key.startsWith('io.modelcontextprotocol/'));
  const isUsual = ofProtocol.length === 0 ? isLegacy(headers) : isModern(headers, ofProtocol, name, message, meta);
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

/** Each message describes its client, and headers repeat what it asks for. */
function isModern(
  headers: IncomingHttpHeaders,
  ofProtocol: string[],
  name: string,
  body: object,
  meta: Record<string, unknown>,
): boolean {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': named } = headers;
  if (version !== MODERN_REVISION || method !== METHOD || named !== name) return false;
  if (ofProtocol.length !== MODERN_META.length || !MODERN_META.every((key) => ofProtocol.includes(key))) return false;
  return isKnownClient(version, body, meta);
}

/** How clients describe themselves, as JSON: what the protocol's code has once accepted. It takes longer to judge than all else here. */
const knownClients = new Set<string>();
const MOST_CLIENTS = 1_000;
const LONGEST_CLIENT = 2_000;

function isKnownClient(version: string, body: object, meta: Record<string, unknown>): boolean {
  const text = JSON.stringify(MODERN_META.map((key) => meta[key]));
  if (knownClients.has(text)) return true;
  if (classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: version, body }).kind !== 'modern') return false;
  if (knownClients.size >= MOST_CLIENTS) knownClients.clear();
  if (text.length <= LONGEST_CLIENT) knownClients.add(text);
  return true;
}

const hasOnly = (object: object, known: string[]) => Object.keys(object).every((key) => known.includes(key));
