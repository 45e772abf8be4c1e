import { type CallToolResult, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { SERVER } from './connection/instructions.js';
import type { PlainCall } from './plain-call.js';

/** The envelope of an operation, as JSON text. */
export interface Outcome {
  envelope: string;
  /** What a model should know about it; null if nothing. */
  notes: string | null;
  isError: boolean;
}

/** The result for the protocol's server. */
export function toResult({ envelope, notes, isError }: Outcome): CallToolResult {
  const structuredContent = JSON.parse(envelope) as Record<string, unknown>;
  const texts = notes === null ? [envelope] : [envelope, notes];
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  const result: CallToolResult = { structuredContent, content };
  return isError ? { ...result, isError } : result;
}

/** The part that every result has since 2026-07-28. */
const MODERN = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: SERVER })}`;

/** The same result as the JSON text of the whole answer. */
export function toAnswer({ id, era }: PlainCall, { envelope, notes, isError }: Outcome): string {
  const block = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;
  const content = block(envelope) + (notes === null ? '' : `,${block(notes)}`);
  const result = `"structuredContent":${envelope},"content":[${content}]`;
  const more = (isError ? ',"isError":true' : '') + (era === 'modern' ? MODERN : '');
  return `{"result":{${result}${more}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
