import { Client } from 'undici';
import { checkTargetUrl, type ResolutionRules } from './address-guard.js';
import { guardedConnector } from './guarded-connector.js';
import { outside } from '../held.js';

/** The time limit for name resolution, connection, TLS and the document together, in milliseconds. */
const TIMEOUT_MS = 2_500;
const MAX_BYTES = 5 * 1024;

/** The answer of a foreign server. */
export interface FetchedDocument {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/**
 * Fetches small documents from addresses that clients give. Connects only to public addresses, checked for
 * each connection, and uses no redirects, credentials, proxy or decompression.
 */
export class DocumentClient {
  constructor(private readonly rules: ResolutionRules) {}

  /**
   * @throws Error for an address that may not be used, if there is no answer in time, and for a document over
   * 5 KiB
   */
  async get(address: string): Promise<FetchedDocument> {
    outside('the document of another server');
    const url = checkTargetUrl(address, this.rules);
    const connect = guardedConnector({ ...this.rules, timeoutMs: TIMEOUT_MS });
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 0 });
    const deadline = setTimeout(
      () => void client.destroy(new Error('the document took too long')),
      TIMEOUT_MS,
    );
    try {
      const path = url.pathname + url.search;
      const answer = await client.request({ method: 'GET', path, headers: { accept: 'application/json' } });
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > MAX_BYTES) throw new Error(`the document is larger than ${MAX_BYTES} bytes`);
        chunks.push(chunk);
      }
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
      );
      return {
        status: answer.statusCode,
        headers,
        text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)),
      };
    } finally {
      clearTimeout(deadline);
      void client.destroy();
    }
  }
}
