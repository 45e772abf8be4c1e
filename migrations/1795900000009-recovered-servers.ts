import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** A server that was recovered to an earlier moment keeps its identifier; see `shop recovered`. */
export class RecoveredServers1795900000009 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace function renew_order_event_epoch() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('order_events', 0));
  if split_part(order_event_server(), '.', 1)
      <> (select system_identifier::text from pg_control_system()) then
    perform begin_order_event_epoch();
  end if;
end $$`);
  }
}
