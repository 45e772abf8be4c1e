import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

const COLUMNS = `
alter table stores add column read_only_since timestamptz(3), add column moved_to text,
  add column former_servers text[] not null default '{}'`;

const ENTER = `
create function enter_store(store uuid) returns boolean language plpgsql as $$ begin
  perform set_config('shop.store_id', store::text, true);
  if pg_try_advisory_xact_lock_shared(hashtextextended('store:' || store, 0))
    and not exists (select from stores where id = store and read_only_since is not null)
  then
    return false;
  end if;
  perform set_config('transaction_read_only', 'on', true);
  return true;
end $$`;

/** A store that is moved to another installation only answers reads meanwhile. */
export class StoreMoves1795800000006 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(ENTER);
  }
}
