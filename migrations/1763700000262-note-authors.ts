import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who wrote a note, beside the name they had: only they may take it back. Of notes from before nobody knows; those stay. */
export class NoteAuthors1763700000262 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table order_notes add column author_kind text, add column author_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table order_notes drop column author_kind, drop column author_id`);
  }
}
