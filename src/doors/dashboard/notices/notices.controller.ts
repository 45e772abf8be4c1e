import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { NoticeChats } from '../../../notices/chats/notice-chats.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { Caller } from '../caller.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { ChatLink, LinkChatInput, NoticesRecord, UnlinkedChat } from './notices.dto.js';

const PATH = 'stores/:storeId/notices';

/** Where the signed-in member is told of new orders: each member sees and changes only their own. */
@Controller(API_PATH)
export class NoticesController {
  constructor(private readonly chats: NoticeChats) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    groups: 'orders',
    summary: 'Show where the member is told of new orders',
    output: NoticesRecord,
  })
  async find(ctx: StoreContext, _input: object, { session }: Caller): Promise<NoticesRecord> {
    return { chat: await this.chats.find(ctx, session!.userId) };
  }

  @Operation({
    door: DASHBOARD,
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

  @Operation({
    door: DASHBOARD,
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
}
