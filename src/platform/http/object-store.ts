import type { S3mini } from 's3mini';
import type { Config } from '../config/config.js';

const TIMEOUT_MS = 20_000;
/** A key is never written twice, so its object never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The client signs and sends any header, but its types only allow those of x-amz. */
const HEADERS = { 'cache-control': FOR_EVER } as object as Parameters<S3mini['putObject']>[4];

/** A bucket of an S3-compatible service whose objects are readable at a public address. */
export class ObjectStore {
  private client: Promise<S3mini> | null = null;

  constructor(private readonly settings: NonNullable<Config['uploads']>) {}

  /**
   * Writes an object. @returns its public address  @throws Error when the service refuses it, or does not
   * answer in 20 s
   */
  async put(key: string, bytes: Buffer, type: string): Promise<string> {
    const client = await (this.client ??= connect(this.settings));
    await client.putObject(key, bytes, type, undefined, HEADERS);
    return `${this.settings.publicUrl}/${key}`;
  }
}

/** The client is loaded on first use, because most installations have no bucket. */
async function connect({ endpoint, bucket, ...settings }: NonNullable<Config['uploads']>): Promise<S3mini> {
  const { S3mini } = await import('s3mini');
  return new S3mini({ ...settings, endpoint: `${endpoint}/${bucket}`, requestAbortTimeout: TIMEOUT_MS });
}
