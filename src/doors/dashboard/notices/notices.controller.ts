import { Controller } from '@nestjs/common';
import { NoticeChats } from '../../../notices/chats/notice-chats.service.js';
import { testNotice } from '../../../notices/notice.js';
import { PushKeys } from '../../../notices/push/push-keys.service.js';
import { type MemberBrowser, PushSubscriptions } from '../../../notices/push/push-subscriptions.service.js';
import { KnownBrowsers } from '../../../people/sign-in/known-browsers.service.js';
import { OperationError } from '../../../platform/errors.js';
import { Deleted, IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { Stores } from '../../../stores/stores.service.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { API_PATH, Route } from '../route.decorator.js';
import {
  ChatLink,
  LinkChatInput,
  NoticesRecord,
  NoticeTestResult,
  TurnOnNoticesInput,
  UnlinkedChat,
} from './notices.dto.js';

const PATH = 'stores/:storeId/notices';

/** Where the signed-in member is told of new orders: each member sees and changes only their own. */
@Controller(API_PATH)
export class NoticesController {
  constructor(
    private readonly keys: PushKeys,
    private readonly subscriptions: PushSubscriptions,
    private readonly chats: NoticeChats,
    private readonly known: KnownBrowsers,
    private readonly stores: Stores,
    private readonly cookies: Cookies,
  ) {}

  @Route({
    method: 'GET',
    path: PATH,
    groups: 'orders',
    summary: 'Show where the member is told of new orders',
    output: NoticesRecord,
  })
  async find(ctx: StoreContext, _input: object, caller: Caller): Promise<NoticesRecord> {
    const { userId } = caller.session!;
    const browsers = await this.subscriptions.list(ctx, userId, await this.hashOf(caller));
    const chat = await this.chats.find(ctx, userId);
    return { publicKey: (await this.keys.get()).publicKey, browsers, chat };
  }

  @Route({
    method: 'PUT',
    path: `${PATH}/browser`,
    groups: 'orders',
    summary: 'Tell the member of new orders in this browser',
    description: 'A member has at most 10 browsers in a store; a further one ends the oldest.',
    input: TurnOnNoticesInput,
    output: NoticesRecord,
    audited: 'notices.turn_on',
    before: 'check',
  })
  async turnOn(
    ctx: StoreContext,
    { language, ...target }: TurnOnNoticesInput,
    caller: Caller,
  ): Promise<NoticesRecord> {
    await this.subscriptions.save(ctx, await this.browserOf(caller), target, language);
    return this.find(ctx, {}, caller);
  }

  check(_ctx: StoreContext, { endpoint }: TurnOnNoticesInput): Promise<void> {
    return this.subscriptions.check(endpoint);
  }

  @Route({
    method: 'DELETE',
    path: `${PATH}/browsers/:id`,
    groups: 'orders',
    summary: 'Tell the member of new orders in a browser no more',
    input: IdInput,
    output: Deleted,
    audited: 'notices.turn_off',
  })
  async turnOff(ctx: StoreContext, { id }: IdInput, { session }: Caller): Promise<Deleted> {
    await this.subscriptions.remove(ctx, session!.userId, id);
    return { id, deleted: true };
  }

  @Route({
    method: 'POST',
    path: `${PATH}/test`,
    groups: 'orders',
    summary: 'Send a test notice to this browser, and wait for the answer of its push service',
    output: NoticeTestResult,
    audited: 'notices.test',
    // Nothing stays of a test, and no transaction may wait for the push service.
    idempotencyKey: undefined,
  })
  async test(ctx: StoreContext, _input: object, caller: Caller): Promise<NoticeTestResult> {
    const { name } = await this.stores.get(ctx.storeId);
    const { outcome, error } = await this.subscriptions.test(ctx, await this.browserOf(caller), (language) =>
      testNotice({ id: ctx.storeId, name }, language),
    );
    return { sent: outcome === 'sent', error };
  }

  @Route({
    method: 'POST',
    path: `${PATH}/chat`,
    groups: 'orders',
    summary: "Get a link by which the member's chat with the store's bot is told of new orders",
    description: 'It works once, for 15 minutes. A chat that is linked stays so until then.',
    input: LinkChatInput,
    output: ChatLink,
    audited: 'notices.link_chat',
    idempotencyKey: 'once',
  })
  linkChat(ctx: StoreContext, { language }: LinkChatInput, { session }: Caller): Promise<ChatLink> {
    return this.chats.invite(ctx, session!.userId, language);
  }

  @Route({
    method: 'DELETE',
    path: `${PATH}/chat`,
    groups: 'orders',
    summary: "Tell the member's chat of new orders no more",
    output: UnlinkedChat,
    audited: 'notices.unlink_chat',
  })
  async unlinkChat(ctx: StoreContext, _input: object, { session }: Caller): Promise<UnlinkedChat> {
    await this.chats.unlink(ctx, session!.userId);
    return { deleted: true };
  }

  private hashOf({ call, session }: Caller): Promise<string | null> {
    return this.known.recognize(this.cookies.visitorOf(call).browserCookie, session!.email);
  }

  /** @throws OperationError forbidden for a browser that has been forgotten since it signed in */
  private async browserOf(caller: Caller): Promise<MemberBrowser> {
    const browserHash = await this.hashOf(caller);
    if (browserHash === null)
      throw new OperationError('forbidden', 'This browser is not known any more: sign in again');
    const { userAgent } = this.cookies.visitorOf(caller.call);
    const { userId, id: sessionId } = caller.session!;
    return { userId, sessionId, browserHash, userAgent };
  }
}
