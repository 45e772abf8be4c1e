import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SystemDatabase } from '../platform/database/system.js';
import { explainConstraints, invalidInput, Unavailable } from '../platform/errors.js';
import { sentence } from '../platform/problems.js';
import { newId } from '../platform/ids.js';
import * as sql from './bot-claims.statements.js';

/** How long a claim lasts at most. The messenger is given 10 s for each of two calls. */
const LASTS_SECONDS = 60;
/** How long a call waits for another one of its store, and how often it looks. */
const PATIENCE_MS = 20_000;
const LOOKS_MS = 100;

const TAKEN = sentence(
  'token is that of a bot that another store has connected, and a bot belongs to one store; ' +
    'nothing was changed',
  'bot_elsewhere',
  { path: 'token' },
);
explainConstraints({ bots_one_store: TAKEN, bot_claims_one_store: TAKEN });

/** The right to connect one bot, of one call. */
export interface BotClaim {
  /** Whether another call of the store was connecting the bot when this one came. */
  hasWaited: boolean;
  /** @throws OperationError invalid_input if another store has the bot, or is connecting it */
  prove(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Keeps two calls from connecting one bot at once, without a transaction that waits for the messenger. A
 * claim counts against other stores once the messenger has said that its token is the bot's, so that nobody
 * can keep a bot from its owner by a made-up token. It ends by itself if the process dies.
 */
@Injectable()
export class BotClaims {
  constructor(private readonly database: SystemDatabase) {}

  /** Waits for another call of the store. @throws Unavailable if that takes too long */
  async take(store: string, botId: string): Promise<BotClaim> {
    const claim = { store, botId, holder: newId() };
    const isTaken = async () =>
      (await this.database.query(sql.CLAIM_BOT, { ...claim, seconds: LASTS_SECONDS })).length === 0;
    const endsAt = performance.now() + PATIENCE_MS;
    let hasWaited = false;
    while (await isTaken()) {
      if (performance.now() > endsAt) throw new Unavailable(CONNECTING, null);
      hasWaited = true;
      await pause(LOOKS_MS);
    }
    return {
      hasWaited,
      prove: async () => {
        await this.database.query(sql.END_OLD_CLAIMS, { botId });
        if ((await this.database.query(sql.PROVE_CLAIM, claim)).length === 0) throw invalidInput(TAKEN);
      },
      end: async () => {
        await this.database.query(sql.END_CLAIM, claim).catch(() => undefined);
      },
    };
  }
}

const CONNECTING =
  'Another call of this store is connecting the bot, and nothing was changed: send the call again.';
