import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The figures of deliveries by the UTC day of their event, for past days, so that the dashboard reads one row
 * for a day instead of all its deliveries and attempts. The service packs a day one day after its end, if all
 * its deliveries are settled (delivery-packing.service.ts). Later changes of such a day delete its row, by
 * triggers whose conditions ordinary deliveries do not meet. The service locks the store while it packs a
 * day, so that nothing changes between counting and writing.
 */
export class DeliveryDays1763700000323 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table delivery_days (
        store_id uuid not null references stores on delete cascade,
        day date not null,
        delivered integer not null,
        failed integer not null,
        attempts integer not null,
        p95_ms integer,
        primary key (store_id, day)
      )`);
    await runner.query(`create index delivery_days_age on delivery_days (day)`);
    await runner.query(`select protect_table('delivery_days')`);
    await runner.query(`
      -- Version 7 ids begin with the milliseconds since 1970.
      create function delivery_day(id uuid) returns date language sql immutable parallel safe as $$
        select date '1970-01-01' + (('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 86400000)::integer $$;
      create function unpack_delivery_day(store uuid, delivery uuid) returns void language plpgsql as $$ begin
        perform pg_advisory_xact_lock(hashtextextended('delivery_days' || store, 0));
        delete from delivery_days where store_id = store and day = delivery_day(delivery);
      end $$;
      create function unpack_changed_delivery() returns trigger language plpgsql as $$ begin
        perform unpack_delivery_day(old.store_id, old.id);
        return null;
      end $$;
      create function unpack_late_attempt() returns trigger language plpgsql as $$ begin
        perform unpack_delivery_day(new.store_id, new.delivery_id);
        return null;
      end $$`);
    // A settled delivery changes if it is sent again, or if the operator changes it.
    await runner.query(`
      create trigger delivery_days_update after update on webhook_deliveries for each row when (old.status <> 'pending')
        execute function unpack_changed_delivery();
      create trigger delivery_days_attempt after insert on webhook_attempts for each row
        when (new.delivery_id < order_event_id_at(new.at - interval '1 day')) execute function unpack_late_attempt()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger delivery_days_attempt on webhook_attempts;
      drop trigger delivery_days_update on webhook_deliveries;
      drop function unpack_late_attempt, unpack_changed_delivery, unpack_delivery_day, delivery_day;
      drop table delivery_days`);
  }
}
