import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Messenger, type OutgoingMessage, type SendOutcome } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { StoreBot } from '../bot/bot-credentials.service.js';
import { SET_BOT_BLOCKED } from '../bot/bot.statements.js';
import { BEGIN_RECIPIENT, END_CAMPAIGN, LIST_PENDING, RENEW_CAMPAIGN, SETTLE_RECIPIENT } from './campaign.statements.js';
import type { CampaignFailure } from './campaigns.dto.js';

/** A campaign that this call alone may send, as long as it keeps its lease. */
export interface ClaimedCampaign {
  id: string;
  leaseToken: string;
  message: OutgoingMessage;
}

/** How a recipient's row is left. */
interface Outcome {
  status: 'pending' | 'sent' | 'failed' | 'blocked';
  reason: CampaignFailure | null;
  detail: string | null;
}

/** Less than a lease, so that a lease never ends while its message is under way. */
const SEND_TIMEOUT_MS = 8_000;
/** Of one recipient whom the messenger keeps putting off. */
const MAX_ATTEMPTS = 5;
const RENEW_EVERY_MS = 5_000;
const TELL_EVERY_MS = 1_000;

/**
 * Sends a campaign to its pending recipients one by one. Around each message there are two small transactions, and none is open
 * while the messenger is waited for: the row says `sending` before the message goes out and what came of it after, so whenever
 * this breaks off, the rows say who got it and about whom nobody knows.
 */
@Injectable()
export class CampaignSender {
  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
  ) {}

  /** Ends when nobody is pending or the caller gave up. @throws OperationError invalid_input when another call took the campaign over */
  async send(ctx: StoreContext, bot: StoreBot, campaign: ClaimedCampaign): Promise<void> {
    const pending = await ctx.session.read<{ id: string }>(LIST_PENDING, campaign.id);
    let toldAt = -TELL_EVERY_MS;
    for (const [done, { id }] of pending.entries()) {
      if (isGivenUp(ctx)) break;
      await this.deliver(ctx, bot, campaign, id);
      ctx.call?.progress?.(done + 1, pending.length);
      toldAt = tellProgress(ctx, campaign.id, { done: done + 1, total: pending.length }, toldAt);
    }
    ctx.session.send(END_CAMPAIGN, campaign.id, campaign.leaseToken, ctx.now());
    await ctx.session.commit();
  }

  /** Sends until the messenger has an answer other than "later"; when the caller gives up meanwhile, the recipient stays pending. */
  private async deliver(ctx: StoreContext, bot: StoreBot, campaign: ClaimedCampaign, customerId: string): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !isGivenUp(ctx); attempt++) {
      await this.rate.take(bot.botId);
      await this.begin(ctx, campaign, customerId);
      const sent = await this.messenger.send(bot.token, customerId, campaign.message, { timeoutMs: SEND_TIMEOUT_MS });
      // Nothing went out, so the row must not say `sending` while this waits.
      const isPutOff = isSlowedDown(sent) && attempt < MAX_ATTEMPTS;
      await this.settle(ctx, campaign, customerId, isPutOff ? PENDING : outcomeOf(sent));
      if (isSlowedDown(sent)) await this.wait(ctx, campaign, sent.retryAfterSeconds * 1000);
      if (!isPutOff) return;
    }
  }

  private async begin(ctx: StoreContext, campaign: ClaimedCampaign, customerId: string): Promise<void> {
    const [row] = await ctx.session.run(BEGIN_RECIPIENT, campaign.id, campaign.leaseToken, customerId);
    if (!row) throw takenOver();
    await ctx.session.commit();
  }

  private async settle(ctx: StoreContext, { id }: ClaimedCampaign, customerId: string, outcome: Outcome): Promise<void> {
    const { status, reason, detail } = outcome;
    ctx.session.send(SETTLE_RECIPIENT, id, customerId, status, reason, detail, status === 'sent' ? ctx.now() : null);
    if (status === 'blocked') ctx.session.send(SET_BOT_BLOCKED, customerId, true, ctx.now());
    await ctx.session.commit();
  }

  /** The pause that the messenger asked for, in pieces, so that the lease is kept and a caller that gave up is noticed. */
  private async wait(ctx: StoreContext, campaign: ClaimedCampaign, ms: number): Promise<void> {
    const endsAt = performance.now() + ms;
    for (let left = ms; left > 0 && !isGivenUp(ctx); left = endsAt - performance.now()) {
      const [row] = await ctx.session.run(RENEW_CAMPAIGN, campaign.id, campaign.leaseToken);
      if (!row) throw takenOver();
      await ctx.session.commit();
      await pause(Math.min(left, RENEW_EVERY_MS), undefined, { signal: ctx.call?.signal?.() }).catch(() => undefined);
    }
  }
}

const PENDING: Outcome = { status: 'pending', reason: null, detail: null };

function outcomeOf(sent: SendOutcome): Outcome {
  if (sent.sent) return { status: 'sent', reason: null, detail: null };
  if (sent.blocked) return { status: 'blocked', reason: 'blocked', detail: sent.detail };
  return { status: 'failed', reason: sent.reason, detail: sent.detail };
}

function isSlowedDown(sent: SendOutcome): sent is SendOutcome & { retryAfterSeconds: number } {
  return !sent.sent && sent.retryAfterSeconds !== undefined;
}

/** At most one a second, and the last. @returns when progress was last published */
function tellProgress(ctx: StoreContext, id: string, progress: { done: number; total: number }, toldAt: number): number {
  const now = performance.now();
  if (progress.done < progress.total && now - toldAt < TELL_EVERY_MS) return toldAt;
  ctx.live.publish(ctx.storeId, { kind: 'campaign', id, operation: 'campaign.progress', changed: [], more: progress });
  return now;
}

const isGivenUp = (ctx: StoreContext) => ctx.call?.signal?.().aborted === true;

const takenOver = () => invalidInput('Idempotency-Key belongs to a campaign that another call has taken over from this one');
