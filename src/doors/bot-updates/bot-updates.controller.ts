import { Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { invalidInput } from '../../platform/errors.js';
import type { BotUpdate } from './bot-update.js';
import { BotSenderGuard } from './bot-sender.guard.js';
import { BotUpdates } from './bot-updates.service.js';
import { parseExactJson } from '../storefront/exact-json.js';

/** Where the messenger sends what happens to the stores' bots. A 5xx of ours makes it send an update again. */
@Controller('messenger')
export class BotUpdatesController {
  constructor(private readonly updates: BotUpdates) {}

  @Post(':storeId')
  @HttpCode(200)
  @UseGuards(BotSenderGuard)
  async receive(@Param('storeId') _storeId: string, @Req() request: Request): Promise<object> {
    const update = request.call.body(parseExactJson);
    if (typeof update !== 'object' || update === null || Array.isArray(update))
      throw invalidInput('The body must be a JSON object');
    await this.updates.handle(request.botSender, update as BotUpdate);
    return {};
  }
}
