import type { Answer, TestApp } from '../../support/test-app.js';

export type Era = 'legacy' | 'modern';
export const ERAS: Era[] = ['legacy', 'modern'];

const MODERN = '2026-07-28';
/** What each message of the new revision says of its client. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface RawAnswer {
  status: number;
  headers: Headers;
  /** The messages of the answer, several when it was a stream. */
  messages: any[];
}

export interface RawParams {
  name?: string;
  arguments?: unknown;
  _meta?: Record<string, unknown>;
  inputResponses?: unknown;
  requestState?: unknown;
}

/** JSON text that goes to the wire as it is, so that nothing in it is lost on the way. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** JSON-RPC by hand, with nothing between the test and the wire. */
export class RawClient {
  private id = 0;

  constructor(
    private readonly app: TestApp,
    private readonly token: string | null,
    private readonly era: Era = 'legacy',
    private readonly path = '/mcp',
  ) {}

  async send(
    method: string,
    params: RawParams = {},
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<RawAnswer> {
    const modern = this.era === 'modern';
    const _meta = modern ? { ...ENVELOPE, ...params._meta } : { ...params._meta };
    const text =
      params.arguments instanceof JsonText ? params.arguments.text : JSON.stringify(params.arguments);
    const others = JSON.stringify({ ...params, arguments: undefined, _meta });
    const whole = text === undefined ? others : `${others.slice(0, -1)},"arguments":${text}}`;
    const standard: Record<string, string> = modern
      ? {
          'MCP-Protocol-Version': MODERN,
          'Mcp-Method': method,
          ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
        }
      : {};
    const call = `"id":${++this.id},"method":${JSON.stringify(method)},"params":${whole}`;
    const message = `{"jsonrpc":"2.0",${call}}`;
    return this.post(message, { ...standard, ...headers }, signal);
  }

  async post(body: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<RawAnswer> {
    const response = await fetch(`${this.app.url}${this.path}`, {
      method: 'POST',
      body,
      signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }),
        ...headers,
      },
    });
    const text = await response.text();
    const stream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const parts = stream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : text ? [text] : [];
    return {
      status: response.status,
      headers: response.headers,
      messages: parts.map((part) => JSON.parse(part)),
    };
  }

  /** Calls a tool. @returns its result, which must have come over HTTP 200 */
  async call(name: string, input: unknown = {}, _meta: Record<string, unknown> = {}): Promise<any> {
    const { status, messages } = await this.send('tools/call', { name, arguments: input, _meta });
    const answer = messages.at(-1);
    if (status !== 200 || answer.error) throw new Error(`${name}: HTTP ${status} ${JSON.stringify(answer)}`);
    return answer.result;
  }
}

/** The envelope a tool's result carries, after checking that its two copies agree. */
export function envelopeOf(result: any): Answer['body'] {
  const [{ type, text }] = result.content;
  expect(type).toBe('text');
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  expect(result.isError === true).toBe(!result.structuredContent.ok);
  return result.structuredContent;
}
