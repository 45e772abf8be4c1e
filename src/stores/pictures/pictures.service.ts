import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../../platform/clock.js';
import { UNDO_DAYS } from '../../platform/database/retention.service.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { restAfter } from '../../platform/timers.js';
import { picturesPath } from './picture-columns.js';
import type { Width } from './small-pictures.js';
import * as sql from './pictures.statements.js';

const MIB = 1024 * 1024;
/** Few bytes, because a reader who takes them slowly keeps them in memory. */
const PIECE_BYTES = 64 * 1024;

/** A picture as it is read: its type and size, and its bytes in pieces. */
export interface PictureRead {
  type: string;
  size: number;
  pieces: AsyncIterable<Buffer>;
}

export interface StoredPicture {
  type: string;
  bytes: Buffer;
}

export interface SmallPicture extends StoredPicture {
  width: Width;
}

/** A picture of a store: the original where the width is null. */
export interface NamedPicture {
  id: string;
  width: Width | null;
}

/** The pictures that the database keeps, where the installation has no bucket (docs/behaviour.md §10.3). */
@Injectable()
export class Pictures {
  /** The most that the pictures of one store may take together. */
  mostBytes = 1024 * MIB;

  constructor(
    private readonly system: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * @param small the same picture in smaller widths
   * @throws OperationError invalid_input if the store's pictures would take more than they may
   */
  async save(ctx: StoreContext, id: string, original: StoredPicture, small: SmallPicture[]): Promise<void> {
    ctx.session.enqueue(sql.LOCK_STORE);
    const values = {
      ...{ id, ...original, now: ctx.now(), mostBytes: String(this.mostBytes) },
      widths: small.map(({ width }) => width),
      smallTypes: small.map(({ type }) => type),
      smallBytes: small.map(({ bytes }) => bytes),
    };
    const [saved] = await ctx.session.query(sql.INSERT, values);
    if (!saved)
      throw invalidInput(
        `The pictures of this store take ${this.mostBytes / MIB} MiB, which is the most: remove some from ` +
          'their products (they are deleted 31 days later), or give the address of a picture elsewhere',
      ).about('pictures_most', { mebibytes: this.mostBytes / MIB });
  }

  /** @returns null if the store has no such picture */
  async read(ctx: StoreContext, named: NamedPicture): Promise<PictureRead | null> {
    const first = await this.piece(ctx, named, 0);
    if (!first) return null;
    return { type: first.type, size: first.size, pieces: this.pieces(ctx, named, first.piece, first.size) };
  }

  private async *pieces(
    ctx: StoreContext,
    named: NamedPicture,
    first: Buffer,
    size: number,
  ): AsyncGenerator<Buffer> {
    yield first;
    for (let at = first.length; at < size; at += PIECE_BYTES) {
      const next = await this.piece(ctx, named, at);
      if (!next) throw new Error('the picture was deleted while it was read');
      yield next.piece;
    }
  }

  private async piece(ctx: StoreContext, { id, width }: NamedPicture, at: number) {
    const place = { id, width, from: at + 1, length: PIECE_BYTES };
    const [row] = await ctx.session.read(sql.READ_PIECE, place);
    return row;
  }

  /** Notes which pictures nothing uses any more, and deletes those that nothing has used for a month. */
  async deleteUnused(stop?: AbortSignal): Promise<void> {
    for (const { storeId } of await this.system.query(sql.LIST_STORES)) {
      if (stop?.aborted) return;
      const began = performance.now();
      const now = this.clock.now();
      const unusedBefore = new Date(now.getTime() - (UNDO_DAYS + 1) * DAY_MS);
      await this.system.query(sql.MARK_UNUSED, { storeId, path: picturesPath(storeId), now });
      await this.system.query(sql.DELETE_UNUSED, { storeId, unusedBefore });
      await restAfter(began);
    }
  }
}
