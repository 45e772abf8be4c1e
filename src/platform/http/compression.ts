import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

type Encoding = 'br' | 'gzip';

/** `quick` is for what is sent once: it takes a millisecond or two for 100 kB, on another thread. */
const EFFORTS = { quick: { br: 4, gzip: 5 }, thorough: { br: 9, gzip: 9 } };

/** As large as the largest page needs. Brotli's own default takes several megabytes for each answer. */
const WINDOW_BITS = 18;

const COMPRESS: Record<Encoding, (content: string | Buffer, quality: number) => Promise<Buffer>> = {
  br: (content, quality) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      },
    }),
  gzip: (content, level) => promisify(gzip)(content, { level }),
};

/** The encoding in which the caller gets a large answer; null for none. Brotli is smaller than gzip. */
export function encodingFor(request: Request): Encoding | null {
  if (request.acceptsEncodings('br')) return 'br';
  return request.acceptsEncodings('gzip') ? 'gzip' : null;
}

/**
 * Sends a large answer, compressed if the caller accepts that. One to a browser's cookie is not compressed: a
 * stranger's page could make the browser ask, and learn from the lengths what is in the answers (BREACH).
 */
export async function sendLarge(response: Response, body: string): Promise<void> {
  const { req } = response;
  await sendIn(response, body, req.headers.cookie === undefined ? encodingFor(req) : null);
}

/** Sends what is alike for everybody, apart from what is made for one answer: its length tells nothing. */
export const sendPublic = (response: Response, body: string) =>
  sendIn(response, body, encodingFor(response.req));

async function sendIn(response: Response, body: string, encoding: Encoding | null): Promise<void> {
  response.vary('Accept-Encoding');
  if (encoding === null) return void response.send(body);
  const bytes = await COMPRESS[encoding](body, EFFORTS.quick[encoding]);
  response.set('Content-Encoding', encoding).send(bytes);
}

/**
 * A large text that everybody gets alike. It is compressed when somebody first asks for it, and kept so.
 */
export class PublicDocument {
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly type: string,
    private readonly content: string | Buffer,
  ) {}

  async send(response: Response): Promise<void> {
    const encoding = encodingFor(response.req);
    response.vary('Accept-Encoding').type(this.type);
    if (encoding === null) return void response.send(this.content);
    const bytes = await this.in(encoding);
    response.set('Content-Encoding', encoding).send(bytes);
  }

  private in(encoding: Encoding): Promise<Buffer> {
    let bytes = this.compressed.get(encoding);
    if (!bytes) {
      bytes = COMPRESS[encoding](this.content, EFFORTS.thorough[encoding]);
      this.compressed.set(encoding, bytes);
    }
    return bytes;
  }
}
