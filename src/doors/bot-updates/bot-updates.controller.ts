import { Controller } from '@nestjs/common';
import { Operation, type Door } from '../../platform/call/endpoint.js';
import { NoInput } from '../../platform/schema/pages/page.dto.js';
import { parseExactJson } from '../storefront/exact-json.js';
import type { BotUpdate } from './bot-update.js';
import { type BotSender, BotSenderGuard } from './bot-sender.guard.js';
import { BotUpdates } from './bot-updates.service.js';

const BOT_UPDATES: Door = { name: 'bot-updates', prefix: 'messenger', guard: BotSenderGuard };

/** Receives the updates of the stores' bots. The messenger sends an update again if the answer is a 5xx. */
@Controller(BOT_UPDATES.prefix)
export class BotUpdatesController {
  constructor(private readonly updates: BotUpdates) {}

  @Operation({
    door: BOT_UPDATES,
    method: 'POST',
    path: ':storeId',
    summary: "What happened to the store's bot",
    input: NoInput,
    foreignBody: parseExactJson,
    output: NoInput,
    // The messenger interprets the answer of a webhook as a call of its API, so there is no envelope.
    bare: true,
    scope: 'read',
    budget: 'read',
  })
  async receive(update: BotUpdate, sender: BotSender): Promise<object> {
    await this.updates.handle(sender, update);
    return {};
  }
}
