import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deletes events with their store by a trigger, as for sales days, instead of a foreign key, whose check,
 * with its lock on the row of the store, would slow down every change of an order. The foreign key is not
 * needed: an event is written in the same statement as its order, and orders refer to their store. The name
 * of the trigger sorts after those of foreign keys, so it runs after the orders are deleted.
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
