import { Injectable } from '@nestjs/common';
import { DocumentClient, type FetchedDocument } from '../../platform/http/document-client.js';
import { clientMetadata } from '../../people/client-metadata.js';

const AT_ONCE = 8;
/** A document that could not be had is not asked for again this long. */
const FAILED_MS = 60_000;
const MAX_FAILED = 1_000;

/** Documents in which clients describe themselves, at the address that is their id. The library keeps those it liked. */
@Injectable()
export class ClientDocuments {
  private underWay = 0;
  private readonly failed = new Map<string, number>();

  constructor(private readonly client: DocumentClient) {}

  /** Whether the document could not be had a moment ago, and is not asked for again yet. */
  isGivenUp(address: string): boolean {
    return (this.failed.get(address) ?? 0) > performance.now();
  }

  /** @throws Error when the document cannot be had, or describes no client that could be let in */
  async fetch(address: string): Promise<Response> {
    if (this.underWay >= AT_ONCE) throw new Error('too many documents are being fetched');
    this.underWay++;
    try {
      const document = await this.client.get(address);
      if (document.status !== 200) throw new Error(`the document answered with status ${document.status}`);
      return this.understood(document);
    } catch (error) {
      if (this.failed.size >= MAX_FAILED) this.failed.clear();
      this.failed.set(address, performance.now() + FAILED_MS);
      throw error;
    } finally {
      this.underWay--;
    }
  }

  private understood({ text, headers }: FetchedDocument): Response {
    const kept = Object.entries(headers).filter(([name]) => name === 'cache-control' || name === 'expires');
    const body = JSON.stringify(clientMetadata(JSON.parse(text)));
    return new Response(body, { headers: { ...Object.fromEntries(kept), 'content-type': 'application/json' } });
  }
}
