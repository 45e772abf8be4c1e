import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import { Caps } from '../../../platform/caps/caps.js';
import { invalidInput } from '../../../platform/errors.js';
import { tooLarge } from '../../../platform/http/requests.js';
import { ObjectStore } from '../../../platform/http/object-store.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { picturesPath } from '../../../stores/pictures/picture-columns.js';
import {
  Pictures,
  type SmallPicture,
  type StoredPicture,
} from '../../../stores/pictures/pictures.service.js';
import { WIDTHS } from '../../../stores/pictures/small-pictures.js';

/** A type of picture that browsers display and that cannot contain scripts, unlike SVG. */
interface ImageType {
  type: string;
  extension: string;
  /** Whether these bytes are a file of this type. */
  is(bytes: Buffer): boolean;
}

const begins =
  (...parts: [at: number, text: string][]) =>
  (bytes: Buffer) =>
    parts.every(([at, text]) => bytes.toString('latin1', at, at + text.length) === text);

export const IMAGE_TYPES: readonly ImageType[] = [
  { type: 'image/png', extension: 'png', is: begins([0, '\x89PNG\r\n\x1a\n']) },
  { type: 'image/jpeg', extension: 'jpg', is: begins([0, '\xff\xd8\xff']) },
  { type: 'image/webp', extension: 'webp', is: begins([0, 'RIFF'], [8, 'WEBP']) },
  {
    type: 'image/gif',
    extension: 'gif',
    is: (bytes) => begins([0, 'GIF87a'])(bytes) || begins([0, 'GIF89a'])(bytes),
  },
];

const MIB = 1024 * 1024;
export const MAX_BYTES = 5 * MIB;
/** The most bytes of one of the smaller pictures. */
const MAX_SMALL_BYTES = MIB;
const SIZES = new RegExp(`^${WIDTHS.map((width) => `${width}=([1-9]\\d{0,6})`).join(', *')}$`);

/**
 * Stores uploaded pictures in the operator's bucket, or in the database if there is none
 * (docs/behaviour.md §10.3).
 */
@Injectable()
export class Uploads {
  private readonly bucket: ObjectStore | null;
  private readonly baseUrl: string;

  constructor(
    @Inject(CONFIG) { uploads, baseUrl }: Config,
    private readonly pictures: Pictures,
    private readonly caps: Caps,
  ) {
    this.bucket = uploads ? new ObjectStore(uploads) : null;
    this.baseUrl = baseUrl;
  }

  /**
   * @returns the public address of the picture in the body
   * @throws OperationError invalid_input if the body is not a picture or the store has no room for it,
   * rate_limited
   */
  async save(ctx: StoreContext): Promise<string> {
    const { storeId, actor } = ctx;
    const call = ctx.call!;
    const lengths = lengthsOf(call.headers['picture-sizes']);
    // A place is taken once the body has come: whoever sends it slowly must not hold one.
    const bytes = await call.bytes!(MAX_BYTES + lengths.length * MAX_SMALL_BYTES);
    const holder = { storeId, userId: actor.id!, address: call.address };
    return this.caps.within('uploads', holder, call, () => this.put(ctx, bytes, lengths));
  }

  private async put(ctx: StoreContext, bytes: Buffer, lengths: number[]): Promise<string> {
    const { original, small } = picturesIn(bytes, lengths);
    const id = randomUUID();
    const url = await this.keep(ctx, id, original, small);
    ctx.audit.target = `upload:${id}`;
    ctx.audit.changes = { url: [null, url], bytes: [null, bytes.length] };
    return url;
  }

  /** @returns the address where everybody can see it, which tells whether smaller ones stand beside it */
  private async keep(ctx: StoreContext, id: string, original: Sent, small: SmallPicture[]): Promise<string> {
    const { storeId } = ctx;
    const name = small.length > 0 ? `${id}/original.${original.extension}` : `${id}.${original.extension}`;
    if (!this.bucket) {
      await this.pictures.save(ctx, id, original, small);
      return `${this.baseUrl}${picturesPath(storeId)}${name}`;
    }
    for (const { width, bytes, type } of small)
      await this.bucket.put(`${storeId}/${id}/${width}`, bytes, type);
    return this.bucket.put(`${storeId}/${name}`, original.bytes, original.type);
  }
}

interface Sent extends StoredPicture {
  extension: string;
}

/** How many bytes each of the smaller pictures has, which follow the picture in the body. */
function lengthsOf(given: string | string[] | undefined): number[] {
  if (given === undefined) return [];
  const found = SIZES.exec(String(given));
  const lengths = found?.slice(1).map(Number) ?? [];
  if (!found || lengths.some((length) => length > MAX_SMALL_BYTES))
    throw invalidInput(
      `Picture-Sizes must say the bytes of each smaller picture, at most ${MAX_SMALL_BYTES}, as in ` +
        WIDTHS.map((width) => `${width}=${width * 100}`).join(', '),
    );
  return lengths;
}

function picturesIn(bytes: Buffer, lengths: number[]): { original: Sent; small: SmallPicture[] } {
  let end = bytes.length - lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.length > 0 && end <= 0) throw invalidInput('Picture-Sizes says more bytes than the body has');
  if (end > MAX_BYTES) throw tooLarge('file', MAX_BYTES);
  const original = pictureOf(bytes.subarray(0, end));
  const small = lengths.map((length, i): SmallPicture => {
    const { type, bytes: own } = pictureOf(bytes.subarray(end, (end += length)));
    return { width: WIDTHS[i], type, bytes: own };
  });
  return { original, small };
}

/** The type is determined by the first bytes, not by the Content-Type. */
function pictureOf(bytes: Buffer): Sent {
  const image = IMAGE_TYPES.find(({ is }) => is(bytes));
  if (!image) throw invalidInput('The file must be a PNG, JPEG, WebP or GIF picture').about('picture_kind');
  return { type: image.type, extension: image.extension, bytes };
}
