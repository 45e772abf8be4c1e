import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events end with their store by a trigger, as its sales days do, and no longer by a foreign key: its check, with the lock that it
 * takes on the store's row, would cost every change of an order. What writes an event writes its order in the same statement, and
 * orders refer to their store. The trigger's name comes after those of foreign keys, so it runs when the store's orders are gone.
 */
export class EventsEndWithStores1763700000316 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function end_order_events() returns trigger language plpgsql as $$ begin
        delete from order_events where store_id = old.id;
        return null;
      end $$;
      create trigger order_events_end after delete on stores for each row execute function end_order_events()`);
    await runner.query(`alter table order_events drop constraint order_events_store_id_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger order_events_end on stores`);
    await runner.query(`drop function end_order_events`);
    await runner.query(
      `alter table order_events add constraint order_events_store_id_fkey foreign key (store_id) references stores on delete cascade`,
    );
  }
}
