import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bot of a store, and the texts of messages that the store has changed. */
export class Bots1763700000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table bots (
        store_id uuid primary key references stores on delete cascade,
        bot_id bigint not null,
        username text not null,
        sealed_token text not null,
        sealed_webhook_secret text not null,
        connected_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('bots')`);
    // A store without a row sends the default text.
    await runner.query(`
      create table bot_messages (
        store_id uuid not null references stores on delete cascade,
        kind text not null check (kind in ('welcome', 'shipped')),
        text text not null,
        image_url text,
        button_text text,
        updated_at timestamptz(3) not null,
        primary key (store_id, kind)
      )`);
    await runner.query(`select protect_table('bot_messages')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table bot_messages, bots`);
  }
}
