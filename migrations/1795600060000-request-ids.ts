import type { QueryRunner } from 'typeorm';

/** The request id of the call behind an event, a delivery and each of its attempts. */
export class RequestIds1795600060000 {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['order_events', 'webhook_deliveries', 'webhook_attempts'])
      await runner.query(`alter table ${table} add column request_id text`);
  }
}
