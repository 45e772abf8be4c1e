import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of rows over which the figures of a store are spread. */
const SLOTS = 16;

const COLUMNS = 'store_id, is_banned, is_bot_blocked';
const CAN_BE_REACHED = 'not is_banned and not is_bot_blocked';

/**
 * Adds up `changes`, which are customers with a sign, and enters the sums store by store, always in the same
 * order. Nothing is written if the sums are 0, because customers are updated with every visit.
 */
const enter = (changes: string) => `
  for net in
    select store_id, sum(sign) as total, sum(sign * (${CAN_BE_REACHED})::int) as active, sum(sign * is_banned::int) as banned,
      sum(sign * is_bot_blocked::int) as bot_blocked
    from (${changes}) c group by store_id order by store_id
  loop
    if (net.total, net.active, net.banned, net.bot_blocked) <> (0, 0, 0, 0) then
      perform enter_contacts(net.store_id, net.total, net.active, net.banned, net.bot_blocked);
    end if;
  end loop;`;

/**
 * The numbers of customers of a store, so that they do not have to be counted. Triggers maintain them for
 * every change of customers. A figure is the sum over several rows of the store, because two writers of one
 * row would wait for each other until the end of their transactions.
 */
export class ContactCounts1763700000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.table(runner);
    await this.triggers(runner);
    await this.fillIn(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger contact_counts_insert on customers;
      drop trigger contact_counts_update on customers;
      drop trigger contact_counts_delete on customers;
      drop function contacts_inserted, contacts_updated, contacts_deleted, enter_contacts;
      drop table contact_counts`);
  }

  private async table(runner: QueryRunner): Promise<void> {
    // The foreign key is checked only when a slot is first used, not when its figures change.
    await runner.query(`
      create table contact_counts (
        store_id uuid not null references stores on delete cascade,
        slot integer not null,
        total bigint not null,
        active bigint not null,
        banned bigint not null,
        bot_blocked bigint not null,
        primary key (store_id, slot)
      );
      select protect_table('contact_counts')`);
    // Each connection has a slot. If another transaction still holds it, the connection uses the next free
    // one: it already holds locks at that time, so waiting could end in a deadlock. If all slots are taken,
    // it uses its own row, so that no connection ever waits.
    await runner.query(`
      create function enter_contacts(store uuid, all_of_them bigint, active_ones bigint, banned_ones bigint, blocked_ones bigint) returns void
      language plpgsql as $$
      declare
        own integer := pg_backend_pid() % ${SLOTS};
        taken integer := ${SLOTS} + pg_backend_pid();
      begin
        for i in 0..${SLOTS - 1} loop
          if pg_try_advisory_xact_lock(hashtextextended('contact_counts' || store || (own + i) % ${SLOTS}, 0)) then
            taken := (own + i) % ${SLOTS};
            exit;
          end if;
        end loop;
        insert into contact_counts as c (store_id, slot, total, active, banned, bot_blocked)
        values (store, taken, all_of_them, active_ones, banned_ones, blocked_ones)
        on conflict (store_id, slot) do update set total = c.total + excluded.total, active = c.active + excluded.active,
          banned = c.banned + excluded.banned, bot_blocked = c.bot_blocked + excluded.bot_blocked;
      end $$`);
  }

  private async triggers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function contacts_inserted() returns trigger language plpgsql as $$
      declare net record;
      begin ${enter(`select 1 as sign, ${COLUMNS} from added`)}
        return null;
      end $$;
      create function contacts_updated() returns trigger language plpgsql as $$
      declare net record;
      begin ${enter(`select 1 as sign, ${COLUMNS} from added union all select -1, ${COLUMNS} from removed`)}
        return null;
      end $$;
      -- Customers who are deleted with their store are not counted: the row of the store and its figures are gone by then.
      create function contacts_deleted() returns trigger language plpgsql as $$
      declare net record;
      begin ${enter(`select -1 as sign, ${COLUMNS} from removed where exists (select from stores s where s.id = removed.store_id)`)}
        return null;
      end $$`);
    // The triggers run once per statement, even for updates, because writing one row of figures a hundred
    // thousand times in a transaction takes minutes.
    await runner.query(`
      create trigger contact_counts_insert after insert on customers referencing new table as added
        for each statement execute function contacts_inserted();
      create trigger contact_counts_update after update on customers referencing old table as removed new table as added
        for each statement execute function contacts_updated();
      create trigger contact_counts_delete after delete on customers referencing old table as removed
        for each statement execute function contacts_deleted()`);
  }

  /**
   * Counts the existing customers. The owner of the tables can see them only while row-level security is not
   * forced.
   */
  private async fillIn(runner: QueryRunner): Promise<void> {
    const tables = ['customers', 'contact_counts'];
    for (const table of tables) await runner.query(`alter table ${table} no force row level security`);
    await runner.query(`
      insert into contact_counts (store_id, slot, total, active, banned, bot_blocked)
      select store_id, 0, count(*), count(*) filter (where ${CAN_BE_REACHED}), count(*) filter (where is_banned),
        count(*) filter (where is_bot_blocked)
      from customers group by store_id`);
    for (const table of tables) await runner.query(`alter table ${table} force row level security`);
  }
}
