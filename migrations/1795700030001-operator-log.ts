import type { QueryRunner } from 'typeorm';

/** What operators did to the installation. */
export class OperatorLog1795700030001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table operator_log (
      id uuid primary key,
      at timestamptz(3) not null,
      os_user text not null,
      host text not null,
      command text not null,
      target text,
      details jsonb not null
    )`);
    await runner.query(`select protect_people_table('operator_log')`);
  }
}
