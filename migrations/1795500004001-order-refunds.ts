import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { BATCH, inBatches, seeingRows } from './steps.js';

/** Refunds that only the audit log knows become data of their orders. */
export class OrderRefunds1795500004001 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await seeingRows(runner, ['orders', 'order_refunds', 'audit_log'], () =>
      inBatches(
        runner,
        `insert into order_refunds (store_id, id, order_id, amount, reason, refunded_by, refunded_at)
         select a.store_id, a.id, o.id, (a.input->>'amount')::numeric::bigint, a.input->>'reason',
           a.actor_name, a.at
         from audit_log a join orders o on o.store_id = a.store_id
           and a.target in ('order:' || o.id, o.id::text)
         where a.operation = 'refund_order' and a.outcome = 'ok'
           and not exists (select from order_refunds r where r.store_id = a.store_id and r.id = a.id)
         limit ${BATCH}`,
      ),
    );
  }
}
