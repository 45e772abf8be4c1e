import { Injectable } from '@nestjs/common';
import { Caps } from '../../platform/caps/caps.js';
import { DocumentClient, type FetchedDocument } from '../../platform/http/document-client.js';
import { clientMetadata } from '../../people/apps/client-metadata.js';

/** How long a document that could not be fetched is not requested again. */
const FAILED_MS = 60_000;
const MAX_FAILED = 1_000;

/**
 * Fetches the documents in which clients describe themselves; a client's id is their address. The library
 * caches valid ones.
 */
@Injectable()
export class ClientDocuments {
  private readonly failed = new Map<string, number>();

  constructor(
    private readonly client: DocumentClient,
    private readonly caps: Caps,
  ) {}

  /** Whether the document could not be fetched recently, so that it is not requested again yet. */
  hasJustFailed(address: string): boolean {
    return (this.failed.get(address) ?? 0) > performance.now();
  }

  /**
   * @param asker the address of the caller for whom it is fetched
   * @throws Error if the document cannot be fetched, or does not describe an acceptable client
   */
  async fetch(address: string, asker: string | undefined): Promise<Response> {
    const free = await this.caps.wait('documents', { address: asker });
    try {
      const document = await this.client.get(address);
      if (document.status !== 200) throw new Error(`the document answered with status ${document.status}`);
      return this.metadataOf(document);
    } catch (error) {
      if (this.failed.size >= MAX_FAILED) this.failed.clear();
      this.failed.set(address, performance.now() + FAILED_MS);
      throw error;
    } finally {
      free();
    }
  }

  private metadataOf({ text, headers }: FetchedDocument): Response {
    const kept = Object.entries(headers).filter(([name]) => name === 'cache-control' || name === 'expires');
    const body = JSON.stringify(clientMetadata(JSON.parse(text)));
    return new Response(body, {
      headers: { ...Object.fromEntries(kept), 'content-type': 'application/json' },
    });
  }
}
