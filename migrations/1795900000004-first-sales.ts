import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** Whether the members of a store have hidden the steps to its first sale. */
export class FirstSales1795900000004 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stores add column first_sale_hidden boolean not null default false');
  }
}
