import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { newId } from '../../platform/ids.js';
import { changedFields } from '../../platform/store/audit.js';
import { AfterCommit } from '../../platform/schema/present.js';
import { replayed } from '../../platform/call/idempotency.js';
import { isBlank } from '../../platform/schema/rules.js';
import { type Sentence, warning } from '../../platform/problems.js';
import { withWarnings } from '../../platform/schema/warnings.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { spendDaily, wouldExceed } from '../../stores/daily-limits.js';
import { MESSAGES_PER_SECOND } from '../../messenger/send-rate.js';
import { requireFeature } from '../../stores/plan-features.js';
import { BotCredentials } from '../bot/bot-credentials.service.js';
import {
  CLAIM_CAMPAIGN,
  GET_TOTALS,
  INSERT_CAMPAIGN,
  LEASE_SECONDS,
  SETTLE_LEFTOVERS,
} from './campaign.statements.js';
import {
  type Broadcast,
  broadcastOfCampaign,
  broadcastOfMessages,
  recipientCountOf,
  recipientsOf,
} from './broadcast.js';
import { CampaignSender, type ClaimedCampaign } from './campaign-sender.service.js';
import type { SendCampaignInput, SendCampaignResult, SendMessagesInput } from './campaigns.dto.js';
import { type CallIdentity, findKnown, type KnownCampaign } from './known-campaign.js';
import type { OutgoingMessage } from '../../messenger/messenger.js';

/** Slightly longer than a lease, so that a call waits long enough if the call with the lease has died. */
const WAIT_FOR_OTHER_CALL_MS = (LEASE_SECONDS + 5) * 1000;
const LOOK_AGAIN_MS = 500;

type Sending = SendCampaignResult | AfterCommit<SendCampaignResult>;

/**
 * Sends broadcasts (docs/behaviour.md §6.8). A call with an Idempotency-Key that was used before continues
 * that campaign with its pending recipients and returns its totals; so does a call whose caller sent no key,
 * if its input is that of a recent campaign of the same caller. If another call is still sending the
 * campaign, it waits up to 20 s for that call to end, then answers 400.
 */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly bots: BotCredentials,
    private readonly sender: CampaignSender,
  ) {}

  send(ctx: StoreContext, input: SendCampaignInput): Promise<Sending> {
    return this.run(ctx, broadcastOfCampaign(ctx, input));
  }

  /** One campaign whose texts differ. */
  sendMessages(ctx: StoreContext, input: SendMessagesInput): Promise<Sending> {
    return this.run(ctx, broadcastOfMessages(ctx, input));
  }

  /** A preview needs no bot, and counts the recipients even if there are too many to send to. */
  private async run(ctx: StoreContext, input: Broadcast): Promise<Sending> {
    await requireFeature(ctx, 'messages');
    if (!input.confirm) return this.preview(ctx, input);
    const { identity: call } = input;
    const bot = await this.bots.find(ctx);
    if (!bot)
      throw invalidInput('confirm needs a connected store bot: connect one with connect_bot first').about(
        'no_bot',
      );
    if (ctx.session.isRehearsal) return this.rehearsed(ctx, input);
    const known = await this.findIdle(ctx, call);
    const campaign = known ? await this.resume(ctx, input, known) : await this.start(ctx, input, call);
    // Another call with the same key was faster, so this one waits for its campaign.
    if (!campaign) return this.run(ctx, input);
    ctx.audit.target = `campaign:${campaign.id}`;
    return new AfterCommit(async () => {
      if (!known?.is_finished) await this.sender.send(ctx, bot, campaign);
      const [{ pending, ...totals }] = await ctx.session.read(GET_TOTALS, { id: campaign.id });
      const result = {
        ...totals,
        ...(pending === null ? {} : { pending }),
        ...(known?.repeated ? { repeated: true } : {}),
        ...(campaign.pictureRefused === undefined ? {} : { pictureRefused: campaign.pictureRefused }),
      };
      return withWarnings(result, warningsOf(input));
    });
  }

  private async preview(ctx: StoreContext, input: Broadcast): Promise<SendCampaignResult> {
    ctx.audit.action = 'campaign.preview';
    const recipientCount = await recipientCountOf(ctx, input);
    const estimatedSeconds = Math.ceil(recipientCount / MESSAGES_PER_SECOND);
    const exceeded = await wouldExceed(ctx, 'messages', recipientCount);
    return withWarnings({ preview: true, recipientCount, estimatedSeconds }, [
      ...warningsOf(input),
      ...exceeded.map((text) => ({ text })),
    ]);
  }

  /** What preview_change answers of sending it, before anybody got a message. */
  private async rehearsed(ctx: StoreContext, input: Broadcast): Promise<SendCampaignResult> {
    const { length: recipientCount } = await recipientsOf(ctx, input);
    await spendDaily(ctx, 'messages', recipientCount);
    const campaignId = newId();
    ctx.audit.target = `campaign:${campaignId}`;
    ctx.audit.changes = changedFields({}, { name: input.name, recipientCount });
    const sent = { campaignId, recipientCount, sent: 0, failed: 0, blocked: 0, failures: [] };
    return withWarnings(sent, warningsOf(input));
  }

  private async start(
    ctx: StoreContext,
    input: Broadcast,
    call: CallIdentity,
  ): Promise<ClaimedCampaign | null> {
    const ids = await recipientsOf(ctx, input);
    const campaign = claimed(newId(), input);
    const { name, text, imageUrl = null, buttonText = null, buttonUrl = null } = input;
    const [row] = await ctx.session.query(INSERT_CAMPAIGN, {
      ...{ ...campaign, name, text, imageUrl, buttonText, buttonUrl },
      audience: JSON.stringify(input.audience),
      customerIds: ids,
      texts: input.texts === null ? [] : ids.map((id) => input.texts!.get(id)!),
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
    input: Broadcast,
    known: KnownCampaign,
  ): Promise<ClaimedCampaign | null> {
    ctx.audit.action = 'campaign.resume';
    const campaign = claimed(known.id, input);
    if (known.is_finished) {
      replayed(ctx);
      return campaign;
    }
    const [row] = await ctx.session.query(CLAIM_CAMPAIGN, campaign);
    if (row) {
      await ctx.session.query(SETTLE_LEFTOVERS, campaign);
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
      const known = await findKnown(ctx, call);
      if (!known || known.is_finished || !known.is_leased) return known;
      // Nothing was changed yet, and nobody may wait for this call's lock.
      await ctx.session.rollback();
      if (performance.now() >= endsAt) {
        throw invalidInput(
          `${call.isOwnKey ? 'Idempotency-Key belongs to' : 'This call repeats'} a campaign that another ` +
            'call is sending: ask again when that has ended',
        ).about('being_sent');
      }
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** Texts are sent as they are, without markup and without placeholders. */
const MARKUP = [/\*\*|__|~~|`/, /\{\{?\s*[\w.]+\s*\}?\}/, /<\/?[a-z][^<>]*>/i, /\[[^\][]+\]\([^()\s]+\)/];

function warningsOf(input: Broadcast): Sentence[] {
  const texts = input.texts === null ? [['text', input.text]] : [...input.texts.values()].map(inMessages);
  return [
    ...blankWarning('name', input.name),
    ...texts.flatMap(([path, text]) => textWarnings(path, text)),
    ...buttonWarnings(input),
  ];
}

const inMessages = (text: string, i: number) => [`messages[${i}].text`, text];

const blankWarning = (path: string, text: string): Sentence[] =>
  isBlank(text) ? [warning(`${path} holds blanks alone`, 'blank', { field: path.split('.').at(-1)! })] : [];

function textWarnings(path: string, text: string): Sentence[] {
  const markup = MARKUP.flatMap((one) => one.exec(text)?.[0] ?? []).join(', ');
  const shown = `${path} has ${markup}, which the messenger shows as it is`;
  return [...blankWarning(path, text), ...(markup ? [warning(shown, 'markup', { markup })] : [])];
}

function buttonWarnings({ buttonText, buttonUrl }: Broadcast): Sentence[] {
  if ((buttonText === undefined) === (buttonUrl === undefined)) return [];
  const [given, missing] =
    buttonUrl === undefined ? ['buttonText', 'buttonUrl'] : ['buttonUrl', 'buttonText'];
  return [warning(`${given} without ${missing}: the message has no button`, 'no_button')];
}

const claimed = (id: string, input: Broadcast): ClaimedCampaign => ({
  id,
  leaseToken: uuidv4(),
  message: messageOf(input),
});

type Given = Pick<SendCampaignInput, 'text' | 'imageUrl' | 'buttonText' | 'buttonUrl'>;

/** The message of a campaign. A button needs both a text and an address. */
export function messageOf({ text, imageUrl, buttonText, buttonUrl }: Given): OutgoingMessage {
  const button =
    buttonText !== undefined && buttonUrl !== undefined ? { text: buttonText, url: buttonUrl } : null;
  return { text, imageUrl, button };
}
