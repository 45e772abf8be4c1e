import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of orders that are written at a time. */
const BATCH = 5_000;
const TABLES = ['orders', 'audit_log'];

/**
 * Writes the statuses that earlier orders have had, as far as they are in the audit log: both statuses of
 * each change. An order that has never changed keeps null, which means that it has had only its present
 * status. The audit log is read once. Orders are written in batches with separate transactions, so that calls
 * wait for one batch at most. The migration can be run again.
 */
export class OrderHistory1763700000161 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`alter table ${table} no force row level security`);
    try {
      await runner.query(`drop table if exists order_history`);
      await runner.query(`
        create temp table order_history as
        select row_number() over () as n, h.* from (
          select a.store_id, substring(a.target from '^(?:order:)?([1-9]\\d{0,17})$')::bigint as order_id,
            array_agg(distinct s.status) as entered
          from audit_log a cross join lateral json_array_elements_text(a.changes->'status') as s (status)
          where a.operation in ('set_order_status', 'ship_order', 'refund_order', 'payment.receive')
            and json_typeof(a.changes->'status') = 'array'
          group by 1, 2) h`);
      await runner.query(`create unique index on order_history (n)`);
      const [{ last }] = (await runner.query(
        `select coalesce(max(n), 0)::integer as last from order_history`,
      )) as {
        last: number;
      }[];
      for (let n = 0; n < last; n += BATCH) {
        await runner.query(
          `update orders o set entered = case when o.status = any(h.entered) then h.entered else h.entered || o.status end
           from order_history h
           where h.n > $1 and h.n <= $1 + ${BATCH} and o.store_id = h.store_id and o.id = h.order_id and o.entered is null`,
          [n],
        );
      }
      await runner.query(`drop table order_history`);
    } finally {
      for (const table of TABLES) await runner.query(`alter table ${table} force row level security`);
    }
  }

  /** Nothing has to be undone: the additional statuses do no harm. */
  async down(): Promise<void> {}
}
