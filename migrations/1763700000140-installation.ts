import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Data of the installation: the encryption keys with which its secrets are sealed, and the passwords of its
 * two roles.
 */
export class Installation1763700000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Row-level security is not forced, because the owner of the tables must see these rows even if it is not
    // a superuser.
    await runner.query(`
      create table encryption_keys (
        fingerprint text primary key,
        in_use_since timestamptz(3) not null
      );
      alter table encryption_keys enable row level security;
      create table role_passwords (
        role text primary key,
        sealed_password text not null,
        set_at timestamptz(3) not null
      );
      alter table role_passwords enable row level security`);
    // The service checks with its own role whether its keys are still the right ones.
    await runner.query(`
      do $$
      declare
        system_role text := left(current_database(), 56) || '_system';
      begin
        execute format('create policy keys_in_use on encryption_keys for select to %I using (true)', system_role);
        execute format('grant select on encryption_keys, migrations to %I', system_role);
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table role_passwords, encryption_keys`);
    await runner.query(`
      do $$ begin
        execute format('revoke select on migrations from %I', left(current_database(), 56) || '_system');
      end $$`);
  }
}
