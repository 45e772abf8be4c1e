import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Messenger, type OutgoingMessage, type SendOutcome } from '../../messenger/messenger.js';
import { SendRate } from '../../messenger/send-rate.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { StoreBot } from '../bot/bot-credentials.service.js';
import { SET_BOT_BLOCKED } from '../bot/bot.statements.js';
import {
  BEGIN_RECIPIENT,
  END_CAMPAIGN,
  LIST_PENDING,
  NOTE_CAMPAIGN_PICTURE,
  RENEW_CAMPAIGN,
  SETTLE_RECIPIENT,
} from './campaign.statements.js';
import type { CampaignFailure } from './campaigns.dto.js';

/** A campaign that only this call may send, as long as it holds the lease. */
export interface ClaimedCampaign {
  id: string;
  leaseToken: string;
  message: OutgoingMessage;
  /** What the messenger said of the picture, without which the rest of the call goes. */
  pictureRefused?: string;
}

/** The outcome that is saved in a recipient's row. */
interface Outcome {
  status: 'pending' | 'sent' | 'failed' | 'blocked';
  reason: CampaignFailure | null;
  detail: string | null;
}

/** Shorter than a lease, so that a lease never ends while its message is being sent. */
const SEND_TIMEOUT_MS = 8_000;
/** The maximum number of attempts for one recipient, if the messenger keeps asking for a pause. */
const MAX_ATTEMPTS = 5;
/** A longer pause ends the call; the same call goes on with the campaign later. */
const LONGEST_PAUSE_SECONDS = 30;
const RENEW_EVERY_MS = 5_000;
const REPORT_EVERY_MS = 1_000;

/**
 * Sends a campaign to its pending recipients one by one. There is a small transaction before and after each
 * message, and none is open during the call to the messenger. The row says `sending` before the message is
 * sent and has the outcome afterwards. So whenever sending breaks off, the rows show who got the message and
 * whose outcome is unknown.
 */
@Injectable()
export class CampaignSender {
  constructor(
    private readonly messenger: Messenger,
    private readonly rate: SendRate,
  ) {}

  /**
   * Ends when no recipient is pending, the caller gives up, the store is suspended, or the messenger asks for
   * a long pause.
   * @throws OperationError invalid_input if another call has taken over the campaign
   */
  async send(ctx: StoreContext, bot: StoreBot, campaign: ClaimedCampaign): Promise<void> {
    const pending = await ctx.session.read(LIST_PENDING, campaign);
    let reportedAt = -REPORT_EVERY_MS;
    for (const [done, { id, text }] of pending.entries()) {
      if (isGivenUp(ctx)) break;
      const isPaused = await this.deliver(ctx, bot, campaign, { id, text });
      if (isPaused) break;
      ctx.call?.progress?.(done + 1, pending.length);
      reportedAt = reportProgress(ctx, campaign.id, { done: done + 1, total: pending.length }, reportedAt);
    }
    ctx.session.enqueue(END_CAMPAIGN, { ...campaign, now: ctx.now() });
    await ctx.session.commit();
  }

  /**
   * Sends until the messenger gives an answer other than "later". If the caller gives up meanwhile, or the
   * pause is long, the recipient stays pending.
   * @returns whether the others have to wait too: the messenger asked for a long pause, or the store is
   * suspended
   */
  private async deliver(
    ctx: StoreContext,
    bot: StoreBot,
    campaign: ClaimedCampaign,
    { id: customerId, text }: { id: string; text: string | null },
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !isGivenUp(ctx); attempt++) {
      await this.rate.take(bot.botId);
      const status = await this.begin(ctx, campaign, customerId);
      if (status !== 'sending') return status === 'pending';
      const message = text === null ? campaign.message : { ...campaign.message, text };
      const sent = await this.messenger.sendMessage(bot.token, customerId, message, {
        timeoutMs: SEND_TIMEOUT_MS,
      });
      if (sent.sent && sent.pictureRefused !== undefined) {
        campaign.pictureRefused ??= sent.pictureRefused;
        ctx.session.enqueue(NOTE_CAMPAIGN_PICTURE, { id: campaign.id, refused: sent.pictureRefused });
        campaign.message = { ...campaign.message, isPictureLinked: true };
      }
      // Nothing was sent, so the row must not say `sending` during the pause.
      const isPaused = isSlowedDown(sent) && sent.retryAfterSeconds > LONGEST_PAUSE_SECONDS;
      const isPutOff = isPaused || (isSlowedDown(sent) && attempt < MAX_ATTEMPTS);
      await this.settle(ctx, campaign, customerId, isPutOff ? PENDING : outcomeOf(sent));
      if (isPaused) return true;
      if (isSlowedDown(sent)) await this.wait(ctx, campaign, sent.retryAfterSeconds * 1000);
      if (!isPutOff) return false;
    }
    return false;
  }

  /** @returns `sending` if the recipient may get the message now, `pending` if the store is suspended */
  private async begin(ctx: StoreContext, campaign: ClaimedCampaign, customerId: string): Promise<string> {
    const [row] = await ctx.session.query(BEGIN_RECIPIENT, { ...campaign, customerId });
    if (!row) throw takenOver();
    await ctx.session.commit();
    return row.status;
  }

  private async settle(
    ctx: StoreContext,
    { id }: ClaimedCampaign,
    customerId: string,
    outcome: Outcome,
  ): Promise<void> {
    const now = ctx.now();
    const sentAt = outcome.status === 'sent' ? now : null;
    ctx.session.enqueue(SETTLE_RECIPIENT, { id, customerId, ...outcome, sentAt });
    if (outcome.status === 'blocked')
      ctx.session.enqueue(SET_BOT_BLOCKED, { customerId, isBlocked: true, now });
    await ctx.session.commit();
  }

  /**
   * Waits for the pause that the messenger asked for, in steps, so that the lease is renewed and a caller
   * that gives up is noticed.
   */
  private async wait(ctx: StoreContext, campaign: ClaimedCampaign, ms: number): Promise<void> {
    const endsAt = performance.now() + ms;
    for (let left = ms; left > 0 && !isGivenUp(ctx); left = endsAt - performance.now()) {
      const [row] = await ctx.session.query(RENEW_CAMPAIGN, campaign);
      if (!row) throw takenOver();
      await ctx.session.commit();
      await pause(Math.min(left, RENEW_EVERY_MS), undefined, { signal: ctx.call?.signal?.() }).catch(
        () => undefined,
      );
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

/**
 * Publishes the progress at most once a second, and always at the end. @returns when progress was last
 * published
 */
function reportProgress(
  ctx: StoreContext,
  id: string,
  progress: { done: number; total: number },
  reportedAt: number,
): number {
  const now = performance.now();
  if (progress.done < progress.total && now - reportedAt < REPORT_EVERY_MS) return reportedAt;
  ctx.live.publish(ctx.storeId, {
    kind: 'campaign',
    id,
    operation: 'campaign.progress',
    changed: [],
    more: progress,
  });
  return now;
}

const isGivenUp = (ctx: StoreContext) => ctx.call?.signal?.().aborted === true;

const takenOver = () =>
  invalidInput(
    'This call repeats a campaign that another call has taken over: ask again when that has ended',
  ).about('being_sent');
