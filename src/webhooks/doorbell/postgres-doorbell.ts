import { Injectable } from '@nestjs/common';
import { systemStatement } from '../../platform/database/statement.js';
import { SystemDatabase } from '../../platform/database/system.js';
import { Doorbell } from './doorbell.js';

export const DOORBELL_CHANNEL = 'shop_webhook';

const RING = systemStatement(
  'ring_doorbell',
  `select pg_notify('${DOORBELL_CHANNEL}', id::text) from unnest($storeIds::uuid[]) as id`,
);

/**
 * Rings with NOTIFY after the commit. Inside the transaction, it would make committing writers wait for each
 * other.
 */
@Injectable()
export class PostgresDoorbell extends Doorbell {
  private readonly rung = new Set<string>();
  private sending: Promise<void> | null = null;

  constructor(private readonly database: SystemDatabase) {
    super();
  }

  ring(storeId: string): void {
    this.rung.add(storeId);
    this.sending ??= this.send();
  }

  async settled(): Promise<void> {
    await this.sending;
  }

  /** Rings that arrive while a notification is being sent go out together. */
  private async send(): Promise<void> {
    while (this.rung.size > 0) {
      const storeIds = [...this.rung];
      this.rung.clear();
      await this.database.query(RING, { storeIds }).catch(() => undefined);
    }
    this.sending = null;
  }
}
