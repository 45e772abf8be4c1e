import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../platform/schema/page.js';
import { columns } from '../../platform/database/columns.js';
import { statement } from '../../platform/database/statement.js';
import { isUuid } from '../../platform/schema/formats.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { readPage } from '../../platform/store/records.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Doorbell } from '../doorbell/doorbell.js';

export interface DeliveryAttempt {
  at: string;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
}

export interface Delivery extends Record<string, unknown> {
  id: string;
  event: string;
  orderId: number | null;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** One delivery with what was sent and what the endpoint answered. */
export interface DeliveryDetails extends Omit<Delivery, 'attempts'> {
  attempts: (DeliveryAttempt & { response: string | null })[];
  /** Null once the order was deleted. */
  body: unknown;
}

const attempts = (
  columns: string,
) => `(select coalesce(json_agg(json_build_object('at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'durationMs', a.duration_ms, 'statusCode', a.status_code, 'error', a.error${columns}) order by a.id), '[]')
  from webhook_attempts a where a.store_id = d.store_id and a.delivery_id = d.id) as attempts`;

const COLUMNS = `${columns(['id', 'status', 'nextAttemptAt', 'createdAt'], 'd')}, e.event, e.order_id::float8 as "orderId"`;

/** A delivery and the event it has the id of. */
const DELIVERIES = `webhook_deliveries d join order_events e on e.store_id = d.store_id and e.id = d.id`;

/** $2 the id to stay below, $3 how many. Ids rise with time. */
const LIST = statement(
  'list_deliveries',
  `select ${COLUMNS}, ${attempts('')} from ${DELIVERIES} where d.store_id = $1 and d.id < $2 order by d.id desc limit $3`,
);

const FIND = statement(
  'find_delivery',
  `select ${COLUMNS}, ${attempts(`, 'response', a.response`)}, convert_from(e.body, 'UTF8') as body
   from ${DELIVERIES} where d.store_id = $1 and d.id = $2`,
);

/** The same body under the same id, with the whole schedule before it. One that is under way is left to finish. $2 ids, or null for all failed since $3. */
const REDELIVER = statement(
  'redeliver',
  `update webhook_deliveries d set status = 'pending', failed_attempts = 0, next_attempt_at = shop_now(), finished_at = null,
     lease_until = null, lease_token = null
   where d.store_id = $1 and (d.id = $2 or ($2::uuid is null and d.status = 'failed' and d.created_at >= $3))
     and exists (select from order_events e where e.store_id = d.store_id and e.id = d.id and octet_length(e.body) > 0)
     and (d.lease_until is null or d.lease_until <= shop_now()) returning d.id`,
);

/** Recent deliveries of a store: to list, look into and send again by hand (docs/behaviour.md §7.7). */
@Injectable()
export class Deliveries {
  constructor(private readonly doorbell: Doorbell) {}

  list(ctx: StoreContext, page: PageRequest): Promise<Page<Delivery>> {
    return readPage(ctx, LIST, page);
  }

  async get(ctx: StoreContext, id: string): Promise<DeliveryDetails> {
    const [row] = isUuid(id)
      ? await ctx.session.read<DeliveryDetails & { body: string } & Record<string, unknown>>(FIND, id)
      : [];
    if (!row) throw notFound('Delivery', id);
    return { ...row, body: row.body === '' ? null : JSON.parse(row.body) };
  }

  /** Sends one delivery again. One that is just being attempted is left to finish. @throws OperationError not_found, invalid_input once the order was deleted */
  async redeliver(ctx: StoreContext, id: string): Promise<void> {
    const { body } = await this.get(ctx, id);
    if (body === null)
      throw invalidInput('id names a delivery whose order was deleted, and its body with it: it cannot be sent again');
    await this.again(ctx, id, null);
  }

  /** Sends all failed deliveries created since the time again. @returns how many */
  redeliverFailed(ctx: StoreContext, since: Date): Promise<number> {
    return this.again(ctx, null, since);
  }

  private async again(ctx: StoreContext, id: string | null, since: Date | null): Promise<number> {
    const rows = await ctx.session.run(REDELIVER, id, since);
    ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return rows.length;
  }
}
