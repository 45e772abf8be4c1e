import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Caps } from '../../platform/caps/caps.js';
import type { CallRequest } from '../../platform/call/endpoint.js';
import { OperationError } from '../../platform/errors.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { Call } from '../../platform/store/call.js';
import { StoreDatabase } from '../../platform/store/store-context.js';
import { PictureTraffic } from './picture-traffic.js';
import { type NamedPicture, Pictures } from '../../stores/pictures/pictures.service.js';
import { WIDTHS } from '../../stores/pictures/small-pictures.js';

/** An id is given to one picture only, so what is behind an address never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const withoutType = (name: string) => name.replace(/\.[a-z]+$/, '');
/** A reader who takes longer is given up, because others wait for its place. */
const LONGEST_MS = 120_000;
const BUDGET = ['pictures', 'pictures that do not exist'] as const;

/**
 * Sends the pictures that the database keeps to everybody, as a bucket would: also those of a suspended
 * store, because messages and pages elsewhere show them.
 */
@Controller('pictures')
export class PicturesController {
  constructor(
    private readonly database: StoreDatabase,
    private readonly pictures: Pictures,
    private readonly caps: Caps,
    private readonly budgets: BudgetGuard,
    private readonly traffic: PictureTraffic,
  ) {}

  /** Smaller ones stand beside a picture at its id: `{id}/original.jpg`, `{id}/320`. */
  @Get([':storeId/:id', ':storeId/:id/:size'])
  async read(
    @Param('storeId') storeId: string,
    @Param('id') name: string,
    @Param('size') size: string | undefined,
    @Req() request: Request & CallRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { call } = request;
    await this.budgets.refuseSpent(call, ...BUDGET);
    const id = size === undefined ? withoutType(name) : name;
    const width = WIDTHS.find((one) => size === String(one)) ?? null;
    const isNamed = size === undefined || width !== null || withoutType(size) === 'original';
    if (!isUuid(storeId) || !isUuid(id) || !isNamed) throw await this.refusal(call);
    const kept = { 'Cache-Control': FOR_EVER, ETag: `"${id}${width === null ? '' : `-${width}`}"` };
    if (request.headers['if-none-match'] === kept.ETag) return void response.status(304).set(kept).end();
    const free = await this.caps.wait('pictures', { storeId, address: call.address }, { call });
    try {
      await this.send({ storeId, id, width }, request, response, kept);
    } finally {
      free();
    }
  }

  private async send(
    { storeId, ...named }: NamedPicture & { storeId: string },
    request: Request & CallRequest,
    response: Response,
    kept: Record<string, string>,
  ): Promise<void> {
    // No amounts are read, so the currency does not matter.
    const reader = {
      storeId,
      currency: 'USD',
      actor: { kind: 'system', id: null, name: 'pictures' } as const,
    };
    await this.database.inStore(reader, async (ctx) => {
      const picture = await this.pictures.read(ctx, named);
      if (!picture) throw await this.refusal(request.call);
      const isAsked = request.method !== 'HEAD';
      if (isAsked) this.traffic.spend(request.call, picture.size);
      response.set({
        'Content-Type': picture.type,
        'Content-Length': String(picture.size),
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...kept,
      });
      if (!isAsked) return void response.end();
      const pieces = Readable.from(picture.pieces, { highWaterMark: 1 });
      const given = pipeline(pieces, response, { signal: AbortSignal.timeout(LONGEST_MS) });
      // Usually the reader has left the page.
      await given.catch((error: unknown) => ctx.log.info({ err: error }, 'a picture was broken off'));
    });
  }

  private async refusal(call: Call): Promise<OperationError> {
    await this.budgets.spendAddress(call, ...BUDGET);
    return new OperationError('not_found', 'There is no such picture');
  }
}
