import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { SystemDatabase } from '../../platform/database/system.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { newsLetter } from '../accounts/email-templates.js';
import { Mailer } from '../accounts/mailer.service.js';
import * as sql from './members.statements.js';

/**
 * Tells every owner of a store by e-mail when owners, access of scope admin or a second factor change, so
 * that a stolen session does not stay unnoticed (docs/behaviour.md §10).
 */
@Injectable()
export class OwnerNews {
  constructor(
    private readonly database: SystemDatabase,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Tells those who are owners before the change, those who are afterwards, and nobody twice. Called before
   * the change is committed.
   * @param what happened: "made ann@shop.example an owner"
   */
  async tell(ctx: StoreContext, what: string): Promise<void> {
    if (!this.mailer.isOn) return;
    const before = await this.database.query(sql.LIST_OWNERS, { storeIds: [ctx.storeId] });
    const sentence = `${ctx.actor.name} ${what}.`;
    ctx.session.onCommit(() => this.send(before, [ctx.storeId], sentence));
  }

  /** Tells the owners of all stores of a person about their account. */
  tellAbout(person: { userId: string; email: string }, what: string): void {
    if (!this.mailer.isOn) return;
    this.mailer.afterAnswer(async () => {
      const stores = await this.database.query(sql.STORES_OF, { userId: person.userId });
      const storeIds = stores.map(({ storeId }) => storeId);
      this.send([{ email: person.email, storeName: '' }], storeIds, `${person.email} ${what}.`);
    });
  }

  private send(before: sql.OwnerRow[], storeIds: string[], sentence: string): void {
    this.mailer.afterAnswer(async () => {
      const after = await this.database.query(sql.LIST_OWNERS, { storeIds });
      const byEmail = new Map([...before, ...after].map((owner) => [owner.email, owner.storeName]));
      for (const [to, storeName] of byEmail) {
        const where = storeName && storeIds.length === 1 ? `In the store "${storeName}": ` : '';
        await this.mailer.send(newsLetter(to, where + sentence, `${this.config.baseUrl}/dashboard/`));
      }
    });
  }
}
