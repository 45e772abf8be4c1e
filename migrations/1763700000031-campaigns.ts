import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns and the outcome for each recipient, so that after a crash it is known who has got the message
 * (docs/behaviour.md §6.8).
 */
export class Campaigns1763700000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The lease shows that a call is sending the campaign. A call that has died no longer renews it.
    await runner.query(`
      create table campaigns (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        name text not null,
        text text not null,
        image_url text,
        button_text text,
        button_url text,
        audience json not null,
        recipient_count integer not null,
        status text not null default 'sending' check (status in ('sending', 'finished')),
        idempotency_key text,
        input_hash text not null,
        lease_token uuid,
        lease_until timestamptz(3),
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        primary key (store_id, id),
        constraint campaigns_idempotency_key unique (store_id, idempotency_key)
      )`);
    await runner.query(`select protect_table('campaigns')`);
    await runner.query(`
      create table campaign_recipients (
        store_id uuid not null,
        campaign_id uuid not null,
        customer_id bigint not null,
        status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed', 'blocked')),
        reason text,
        detail text,
        sent_at timestamptz(3),
        primary key (store_id, campaign_id, customer_id),
        constraint campaign_recipients_campaign foreign key (store_id, campaign_id)
          references campaigns (store_id, id) on delete cascade,
        constraint campaign_recipients_customer foreign key (store_id, customer_id)
          references customers (store_id, id) on delete cascade
      )`);
    await runner.query(
      `create index campaign_recipients_of_customer on campaign_recipients (store_id, customer_id)`,
    );
    await runner.query(`select protect_table('campaign_recipients')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table campaign_recipients, campaigns`);
  }
}
