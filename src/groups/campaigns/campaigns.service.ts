import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { newId } from '../../platform/ids.js';
import { changedFields } from '../../platform/store/audit.js';
import { AfterCommit } from '../../platform/store/results.js';
import { inputHash, replayed, usedKey } from '../../platform/call/idempotency.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { IDEMPOTENCY_KEPT_MS } from '../../platform/database/retention.service.js';
import type { RowOf } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { spendDaily, wouldExceed } from '../../stores/daily-limits.js';
import { MESSAGES_PER_SECOND } from '../../messenger/send-rate.js';
import { requireFeature } from '../../stores/plan-features.js';
import { BotCredentials } from '../bot/bot-credentials.service.js';
import {
  CLAIM_CAMPAIGN,
  FIND_CAMPAIGN_BY_INPUT,
  FIND_CAMPAIGN_BY_KEY,
  FREE_CAMPAIGN_KEY,
  GET_TOTALS,
  INSERT_CAMPAIGN,
  LEASE_SECONDS,
  LOCK_CAMPAIGN_INPUT,
  SETTLE_LEFTOVERS,
} from './campaign.statements.js';
import { messageOf } from './campaign-message.js';
import { CampaignRecipients } from './campaign-recipients.service.js';
import { CampaignSender, type ClaimedCampaign } from './campaign-sender.service.js';
import { SendCampaignInput, type SendCampaignResult } from './campaigns.dto.js';

type KnownCampaign = RowOf<typeof FIND_CAMPAIGN_BY_INPUT>;

/** What makes two calls the same. */
interface CallIdentity {
  actor: string;
  key: string | null;
  inputHash: string;
}

/** Slightly longer than a lease, so that a call waits long enough if the call with the lease has died. */
const WAIT_FOR_OTHER_CALL_MS = (LEASE_SECONDS + 5) * 1000;
const LOOK_AGAIN_MS = 500;
/** How long after its beginning a campaign is gone on with by a call without a key. */
const REPEATED_MS = 3_600_000;
const UNFINISHED_MS = 24 * REPEATED_MS;

/**
 * Sends broadcasts (docs/behaviour.md §6.8). A call with an Idempotency-Key that was used before continues
 * that campaign with its pending recipients and returns its totals; so does a call without a key whose input
 * is that of a recent campaign of the same caller. If another call is still sending the campaign, it waits up
 * to 20 s for that call to end, then answers 400.
 */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly recipients: CampaignRecipients,
    private readonly bots: BotCredentials,
    private readonly sender: CampaignSender,
  ) {}

  /** A preview needs no bot, and counts the recipients even if there are too many to send to. */
  async send(
    ctx: StoreContext,
    input: SendCampaignInput,
  ): Promise<SendCampaignResult | AfterCommit<SendCampaignResult>> {
    await requireFeature(ctx, 'messages');
    if (!input.confirm) return this.preview(ctx, input);
    const used = usedKey(ctx, 'send_campaign', SendCampaignInput, input);
    const actor = `${ctx.actor.kind}:${ctx.actor.id ?? ctx.actor.name}`;
    const key = used && `${used.actor} ${used.key}`;
    const call = { actor, key, inputHash: inputHash(SendCampaignInput, input) };
    const bot = await this.bots.find(ctx);
    if (!bot) throw invalidInput('confirm needs a connected store bot: connect one with connect_bot first');
    const known = await this.findIdle(ctx, call);
    const campaign = known ? await this.resume(ctx, input, known) : await this.start(ctx, input, call);
    // Another call with the same key was faster, so this one waits for its campaign.
    if (!campaign) return this.send(ctx, input);
    ctx.audit.target = `campaign:${campaign.id}`;
    return new AfterCommit(async () => {
      if (!known?.is_finished) await this.sender.send(ctx, bot, campaign);
      const [{ pending, ...totals }] = await ctx.session.read(GET_TOTALS, { id: campaign.id });
      const isRepeated = known !== null && key === null;
      const result = {
        ...totals,
        ...(pending === null ? {} : { pending }),
        ...(isRepeated ? { repeated: true } : {}),
      };
      return withWarnings(result, warningsOf(input));
    });
  }

  private async preview(ctx: StoreContext, input: SendCampaignInput): Promise<SendCampaignResult> {
    ctx.audit.action = 'campaign.preview';
    const recipientCount = await this.recipients.count(ctx, input.audience);
    const estimatedSeconds = Math.ceil(recipientCount / MESSAGES_PER_SECOND);
    const exceeded = await wouldExceed(ctx, 'messages', recipientCount);
    return withWarnings({ preview: true, recipientCount, estimatedSeconds }, [
      ...warningsOf(input),
      ...exceeded,
    ]);
  }

  private async start(
    ctx: StoreContext,
    input: SendCampaignInput,
    call: CallIdentity,
  ): Promise<ClaimedCampaign | null> {
    const ids = await this.recipients.list(ctx, input.audience);
    const campaign = claimed(newId(), input);
    const { name, text, imageUrl = null, buttonText = null, buttonUrl = null } = input;
    const [row] = await ctx.session.run(INSERT_CAMPAIGN, {
      ...{ ...campaign, name, text, imageUrl, buttonText, buttonUrl },
      audience: JSON.stringify(input.audience),
      customerIds: ids,
      ...call,
      now: ctx.now(),
    });
    if (row) {
      await spendDaily(ctx, 'messages', ids.length);
      ctx.audit.changes = changedFields({}, { name, recipientCount: ids.length });
      return campaign;
    }
    await ctx.session.rollback();
    return null;
  }

  private async resume(
    ctx: StoreContext,
    input: SendCampaignInput,
    known: KnownCampaign,
  ): Promise<ClaimedCampaign | null> {
    ctx.audit.action = 'campaign.resume';
    const campaign = claimed(known.id, input);
    if (known.is_finished) {
      replayed(ctx);
      return campaign;
    }
    const [row] = await ctx.session.run(CLAIM_CAMPAIGN, campaign);
    if (row) {
      await ctx.session.run(SETTLE_LEFTOVERS, campaign);
      return campaign;
    }
    await ctx.session.rollback();
    return null;
  }

  /**
   * Waits until no other call is sending the campaign that this call repeats, and returns it; null if it
   * repeats none.
   */
  private async findIdle(ctx: StoreContext, call: CallIdentity): Promise<KnownCampaign | null> {
    const endsAt = performance.now() + WAIT_FOR_OTHER_CALL_MS;
    for (;;) {
      const { key } = call;
      const known = await (key === null ? this.findByInput(ctx, call) : this.findByKey(ctx, key, call));
      if (!known || known.is_finished || !known.is_leased) return known;
      // Nothing was changed yet, and nobody may wait for this call's lock.
      await ctx.session.rollback();
      if (performance.now() >= endsAt) {
        throw invalidInput(
          `${key === null ? 'This call repeats' : 'Idempotency-Key belongs to'} a campaign that another ` +
            'call is sending: ask again when that has ended',
        );
      }
      await pause(LOOK_AGAIN_MS);
    }
  }

  private async findByInput(ctx: StoreContext, call: CallIdentity): Promise<KnownCampaign | null> {
    const now = ctx.now().getTime();
    const since = { recent: new Date(now - REPEATED_MS), unfinished: new Date(now - UNFINISHED_MS) };
    const { actor, inputHash: hash } = call;
    ctx.session.send(LOCK_CAMPAIGN_INPUT, { actor, inputHash: hash });
    const [known] = await ctx.session.run(FIND_CAMPAIGN_BY_INPUT, { actor, inputHash: hash, ...since });
    return known ?? null;
  }

  /** @returns null if the key is new or free again */
  private async findByKey(ctx: StoreContext, key: string, call: CallIdentity): Promise<KnownCampaign | null> {
    const oldest = new Date(ctx.now().getTime() - IDEMPOTENCY_KEPT_MS);
    const [known] = await ctx.session.read(FIND_CAMPAIGN_BY_KEY, { key, oldest });
    if (!known) return null;
    if (known.is_over) {
      // This is part of the transaction that inserts the new campaign with this key.
      ctx.session.send(FREE_CAMPAIGN_KEY, { id: known.id });
      return null;
    }
    if (known.input_hash !== call.inputHash)
      throw invalidInput('Idempotency-Key was used with another input: use a new key for this campaign');
    return known;
  }
}

function warningsOf({ buttonText, buttonUrl }: SendCampaignInput): string[] {
  if ((buttonText === undefined) === (buttonUrl === undefined)) return [];
  const [given, missing] =
    buttonUrl === undefined ? ['buttonText', 'buttonUrl'] : ['buttonUrl', 'buttonText'];
  return [`${given} without ${missing}: the message has no button`];
}

const claimed = (id: string, input: SendCampaignInput): ClaimedCampaign => ({
  id,
  leaseToken: uuidv4(),
  message: messageOf(input),
});
