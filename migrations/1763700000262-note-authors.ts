import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The id of a note's author, in addition to the name, because only the author may delete the note. It is not
 * known for earlier notes, which cannot be deleted.
 */
export class NoteAuthors1763700000262 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table order_notes add column author_kind text, add column author_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table order_notes drop column author_kind, drop column author_id`);
  }
}
