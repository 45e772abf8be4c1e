import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { invalidInput, OperationError } from '../../platform/errors.js';
import { ObjectStore } from '../../platform/http/object-store.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { IMAGE_TYPES } from './image-type.js';

export const MAX_BYTES = 5 * 1024 * 1024;
/** Pictures in memory at once. */
const MAX_AT_ONCE = 8;
const RETRY_SECONDS = 5;

/** Pictures that people send from their own device (docs/behaviour.md §10.3). They go to the operator's bucket; without one nobody can. */
@Injectable()
export class Uploads {
  private readonly store: ObjectStore | null;
  private underWay = 0;

  constructor(@Inject(CONFIG) { uploads }: Config) {
    this.store = uploads ? new ObjectStore(uploads) : null;
  }

  get areConfigured(): boolean {
    return this.store !== null;
  }

  /**
   * @returns the public address of the picture in the body
   * @throws OperationError not_found where there is no bucket, invalid_input for what is no picture, rate_limited
   */
  async save(ctx: StoreContext): Promise<string> {
    const { store } = this;
    if (!store)
      throw new OperationError('not_found', 'This installation takes no uploads: give the address of a picture instead');
    if (this.underWay >= MAX_AT_ONCE) {
      ctx.call!.setHeader('Retry-After', String(RETRY_SECONDS));
      throw new OperationError('rate_limited', `Too many uploads at once; try again in ${RETRY_SECONDS} s`, RETRY_SECONDS);
    }
    this.underWay++;
    try {
      return await this.put(ctx, store);
    } finally {
      this.underWay--;
    }
  }

  private async put(ctx: StoreContext, store: ObjectStore): Promise<string> {
    const bytes = await ctx.call!.bytes!(MAX_BYTES);
    // What it is called does not count: what it begins with does.
    const image = IMAGE_TYPES.find(({ is }) => is(bytes));
    if (!image) throw invalidInput('The file must be a PNG, JPEG, WebP or GIF picture');
    const id = randomUUID();
    const url = await store.put(`${ctx.storeId}/${id}.${image.extension}`, bytes, image.type);
    ctx.audit.target = `upload:${id}`;
    ctx.audit.changes = { url: [null, url], bytes: [null, bytes.length] };
    return url;
  }
}
