import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A bot belongs to one store (docs/behaviour.md §6.14). If several stores have connected the same bot, the
 * messenger sends its updates to the last of them, which keeps the bot. The others no longer have a bot.
 */
export class OneBotOneStore1763700000182 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The owner of the table can see rows only while row-level security is not forced.
    await runner.query(`alter table bots no force row level security`);
    await runner.query(`
      delete from bots b using bots later
      where later.bot_id = b.bot_id and (later.connected_at, later.store_id) > (b.connected_at, b.store_id)`);
    await runner.query(`alter table bots force row level security`);
    await runner.query(`create unique index bots_one_store on bots (bot_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index bots_one_store`);
  }
}
