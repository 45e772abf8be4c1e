import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import { Caps } from '../../../platform/caps/caps.js';
import { invalidInput } from '../../../platform/errors.js';
import { ObjectStore } from '../../../platform/http/object-store.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { picturesPath } from '../../../stores/pictures/picture-columns.js';
import { Pictures } from '../../../stores/pictures/pictures.service.js';
import { IMAGE_TYPES, type ImageType } from './image-type.js';

export const MAX_BYTES = 5 * 1024 * 1024;

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
    // A place is taken once the body has come: whoever sends it slowly must not hold one.
    const bytes = await ctx.call!.bytes!(MAX_BYTES);
    const { storeId, actor } = ctx;
    const call = ctx.call!;
    const holder = { storeId, userId: actor.id!, address: call.address };
    return this.caps.within('uploads', holder, call, () => this.put(ctx, bytes));
  }

  private async put(ctx: StoreContext, bytes: Buffer): Promise<string> {
    // The type is determined by the first bytes, not by the Content-Type.
    const image = IMAGE_TYPES.find(({ is }) => is(bytes));
    if (!image) throw invalidInput('The file must be a PNG, JPEG, WebP or GIF picture');
    const id = randomUUID();
    const url = await this.keep(ctx, id, bytes, image);
    ctx.audit.target = `upload:${id}`;
    ctx.audit.changes = { url: [null, url], bytes: [null, bytes.length] };
    return url;
  }
  /** @returns the address where everybody can see it */
  private async keep(ctx: StoreContext, id: string, bytes: Buffer, image: ImageType): Promise<string> {
    const { type, extension } = image;
    if (this.bucket) return this.bucket.put(`${ctx.storeId}/${id}.${extension}`, bytes, type);
    await this.pictures.save(ctx, id, bytes, type);
    return `${this.baseUrl}${picturesPath(ctx.storeId)}${id}.${extension}`;
  }
}
