import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SystemDatabase } from '../platform/database/system.js';
import type { Principal } from '../platform/store/call.js';
import { NoticeChats } from './chats/notice-chats.service.js';
import { LIST_CHATS } from './chats/notice-chats.statements.js';
import { approvalNotice } from './notice.js';
import type { Language } from './words.js';

/** Tells the person who let an app in that it waits for them. The app's call does not wait for that. */
@Injectable()
export class ApprovalNotices {
  constructor(
    private readonly database: SystemDatabase,
    private readonly chats: NoticeChats,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  tell(principal: Principal, question: string): void {
    this.send(principal, question).catch((err: unknown) =>
      this.log.warn({ err, storeId: principal.storeId }, 'a person was not told of what waits for them'),
    );
  }

  private async send({ storeId, currency, consent }: Principal, question: string): Promise<void> {
    const chats = await this.database.query(LIST_CHATS, { storeId });
    for (const chat of chats.filter(({ userId }) => userId === consent?.userId)) {
      const store = { id: storeId, name: chat.storeName };
      await this.chats.send(
        { storeId, currency },
        chat,
        approvalNotice(store, question, chat.language as Language),
      );
    }
  }
}
