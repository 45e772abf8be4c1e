import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config.js';
import { Caps } from '../../../platform/caps.js';
import { invalidInput, OperationError } from '../../../platform/errors.js';
import { ObjectStore } from '../../../platform/http/object-store.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { IMAGE_TYPES } from './image-type.js';

export const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Stores uploaded pictures in the operator's bucket (docs/behaviour.md §10.3). Without a bucket, uploads are
 * refused.
 */
@Injectable()
export class Uploads {
  private readonly store: ObjectStore | null;

  constructor(
    @Inject(CONFIG) { uploads }: Config,
    private readonly caps: Caps,
  ) {
    this.store = uploads ? new ObjectStore(uploads) : null;
  }

  get areConfigured(): boolean {
    return this.store !== null;
  }

  /**
   * @returns the public address of the picture in the body
   * @throws OperationError not_found without a bucket, invalid_input if the body is not a picture,
   * rate_limited
   */
  async save(ctx: StoreContext): Promise<string> {
    const { store } = this;
    if (!store)
      throw new OperationError(
        'not_found',
        'This installation takes no uploads: give the address of a picture instead',
      );
    // A place is taken once the body has come: whoever sends it slowly must not hold one.
    const bytes = await ctx.call!.bytes!(MAX_BYTES);
    const { storeId, actor } = ctx;
    const call = ctx.call!;
    const holder = { storeId, userId: actor.id!, address: call.address };
    return this.caps.within('uploads', holder, call, () => this.put(ctx, store, bytes));
  }

  private async put(ctx: StoreContext, store: ObjectStore, bytes: Buffer): Promise<string> {
    // The type is determined by the first bytes, not by the Content-Type.
    const image = IMAGE_TYPES.find(({ is }) => is(bytes));
    if (!image) throw invalidInput('The file must be a PNG, JPEG, WebP or GIF picture');
    const id = randomUUID();
    const url = await store.put(`${ctx.storeId}/${id}.${image.extension}`, bytes, image.type);
    ctx.audit.target = `upload:${id}`;
    ctx.audit.changes = { url: [null, url], bytes: [null, bytes.length] };
    return url;
  }
}
