import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { declareSealed } from '../../platform/crypto/sealed-columns.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { Clock } from '../../platform/clock.js';
import type { RowOf } from '../../platform/database/statement.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { resolveTarget, TargetRefused } from '../../platform/http/address-guard.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BEGIN_NOTICES } from '../notice-cursors.statements.js';
import type { Notice } from '../notice.js';
import type { Language } from '../words.js';
import { areUsable, type PushTarget } from './push-message.js';
import { PushSender, type PushOutcome } from './push-sender.js';
import * as sql from './push-subscriptions.statements.js';

/** A member in a browser. */
export interface MemberBrowser {
  userId: string;
  sessionId: string;
  /** What the browser is known by. */
  browserHash: string;
  userAgent: string | undefined;
}

export type ListedSubscription = RowOf<typeof sql.LIST_SUBSCRIPTIONS>;

/** A subscription that is sent to. */
export interface Subscription {
  id: string;
  storeId: string;
  sealedTarget: string;
}

const MAX_BROWSER = 300;
/** How long nothing is sent to a browser whose push service has just failed. */
const QUIET_MS = 5 * 60_000;

const purposeOf = (storeId: string) => `push:${storeId}`;
declareSealed('push_subscriptions', ['sealed_target'], (row) => purposeOf(row.store_id));

/** The browsers in which members are told of new orders. */
@Injectable()
export class PushSubscriptions {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly secrets: SecretBox,
    private readonly sender: PushSender,
    private readonly clock: Clock,
  ) {}

  /** A member's own, newest first. */
  list(ctx: StoreContext, userId: string, browserHash: string | null): Promise<ListedSubscription[]> {
    return ctx.session.read(sql.LIST_SUBSCRIPTIONS, { userId, browserHash });
  }

  /** @param target whose address was checked. @throws OperationError invalid_input for keys that are none */
  async save(
    ctx: StoreContext,
    { userAgent, ...browser }: MemberBrowser,
    target: PushTarget,
    language: Language,
  ): Promise<void> {
    if (!areUsable(target)) throw invalidInput('p256dh and auth are not the keys of a push subscription');
    await ctx.session.query(BEGIN_NOTICES, { now: ctx.now() });
    await ctx.session.query(sql.SAVE_SUBSCRIPTION, {
      ...browser,
      id: ctx.newId(),
      browser: userAgent?.slice(0, MAX_BROWSER),
      language,
      sealedTarget: this.secrets.seal(JSON.stringify(target), purposeOf(ctx.storeId)),
      now: ctx.now(),
    });
  }

  /** @throws OperationError not_found */
  async remove(ctx: StoreContext, userId: string, id: string): Promise<void> {
    const removed = isUuid(id) ? await ctx.session.query(sql.REMOVE_SUBSCRIPTION, { userId, id }) : [];
    if (removed.length === 0) throw notFound('Browser', id);
  }

  /** Sends to one browser, while the caller waits. @throws OperationError not_found if it is not told */
  async test(
    ctx: StoreContext,
    { userId, browserHash }: Pick<MemberBrowser, 'userId' | 'browserHash'>,
    noticeIn: (language: Language) => Notice,
  ): Promise<PushOutcome> {
    const [row] = await ctx.session.read(sql.FIND_TARGET, { userId, browserHash });
    if (!row) throw notFound('Notices in this browser');
    const { id, sealedTarget, language } = row;
    return this.send({ id, storeId: ctx.storeId, sealedTarget }, noticeIn(language as Language), 'test');
  }

  /** Sends, and notes what came of it. */
  async send(subscription: Subscription, notice: Notice, topic = ''): Promise<PushOutcome> {
    const { id, storeId, sealedTarget } = subscription;
    const target = JSON.parse(this.secrets.open(sealedTarget, purposeOf(storeId))) as PushTarget;
    const sent = await this.sender.send(target, notice, `${storeId} ${topic}`.trim());
    if (sent.outcome === 'gone') {
      await this.database.query(sql.END_SUBSCRIPTION, { storeId, id, sealedTarget });
      return sent;
    }
    const now = this.clock.now();
    const isSent = sent.outcome === 'sent';
    await this.database.query(sql.NOTE_PUSH, {
      storeId,
      id,
      sentAt: isSent ? now : null,
      quietUntil: isSent ? null : new Date(now.getTime() + QUIET_MS),
    });
    return sent;
  }

  /**
   * Asks name servers, so no connection of the database may wait for it.
   * @throws OperationError invalid_input for an address that may not be used
   */
  async check(endpoint: string): Promise<void> {
    try {
      await resolveTarget(endpoint, { allowPrivate: this.config.webhook.allowPrivateTargets });
    } catch (error) {
      if (error instanceof TargetRefused) throw invalidInput(error.message.replace(/^url/, 'endpoint'));
      throw error;
    }
  }
}
