import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../platform/operation/fields.js';

/** A `tools/call` that asks for nothing but its answer. */
export interface PlainCall {
  id: string | number;
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
}

/**
 * Recognizes a `tools/call` of revisions up to 2025-11-25 in its usual form, which can be answered without a protocol server of its
 * own and web streams; those cost four times the call. Whatever is unusual or wrong is not recognized and goes the whole way, so
 * that the protocol's own code explains it; a test holds both to the same answers.
 * @returns null for everything else
 */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | null {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return null;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return null;
  if (!isPlainObject(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || method !== 'tools/call') return null;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!isPlainObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return null;
  const { name, arguments: input, _meta: meta } = params;
  if (typeof name !== 'string' || (input !== undefined && !isPlainObject(input))) return null;
  if (meta !== undefined && (!isPlainObject(meta) || Object.keys(meta).some(concernsProtocol))) return null;
  return { id: id as string | number, params: params as unknown as PlainCall['params'] };
}

/** What the protocol itself reads of `_meta`; the rest is the caller's, or ours. */
const concernsProtocol = (key: string) => key === 'progressToken' || key.startsWith('io.modelcontextprotocol/');

const hasOnly = (object: object, known: string[]) => Object.keys(object).every((key) => known.includes(key));
