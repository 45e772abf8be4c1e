import type { QueryRunner } from 'typeorm';

/** The secret before the last rotation, and until when it signs too. */
export class PreviousSecrets1795600060001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table webhook_endpoints add column sealed_previous_secret text, ' +
        'add column previous_until timestamptz(3)',
    );
  }
}
