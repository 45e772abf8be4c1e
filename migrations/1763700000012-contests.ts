import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contests and their participants, who are deleted with their contest or customer. The counts are bigints,
 * because they may be any integers that JSON can represent exactly.
 */
export class Contests1763700000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table contests (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        title text not null,
        slug text not null,
        description text,
        button_text text,
        start_date timestamptz(3) not null,
        end_date timestamptz(3) not null,
        max_participants bigint check (max_participants > 0),
        prize_description text,
        promo_code text,
        rules text,
        bonus_reward bigint check (bonus_reward >= 0),
        status text not null check (status in ('DRAFT', 'ACTIVE', 'ENDED', 'CANCELLED')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint contests_slug_key unique (store_id, slug),
        constraint contests_dates check (start_date < end_date)
      )`);
    await runner.query(`create index contests_of_status on contests (store_id, status, id)`);
    await runner.query(`select protect_table('contests')`);
    await runner.query(`
      create table contest_participants (
        store_id uuid not null,
        contest_id uuid not null,
        customer_id bigint not null,
        created_at timestamptz(3) not null,
        primary key (store_id, contest_id, customer_id),
        constraint contest_participants_contest
          foreign key (store_id, contest_id) references contests (store_id, id) on delete cascade,
        constraint contest_participants_customer
          foreign key (store_id, customer_id) references customers (store_id, id) on delete cascade
      )`);
    await runner.query(
      `create index contest_participants_of_customer on contest_participants (store_id, customer_id)`,
    );
    await runner.query(`select protect_table('contest_participants')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table contest_participants, contests`);
  }
}
