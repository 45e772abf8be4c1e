import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

const TABLES = `
create table push_keys (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz(3) not null
);
select protect_people_table('push_keys');

create table push_subscriptions (
  store_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  browser_hash text not null,
  session_id uuid not null,
  browser text,
  language text not null,
  sealed_target text not null,
  created_at timestamptz(3) not null,
  last_sent_at timestamptz(3),
  quiet_until timestamptz(3),
  primary key (store_id, id),
  constraint push_subscriptions_browser unique (store_id, user_id, browser_hash),
  constraint push_subscriptions_member foreign key (store_id, user_id) references store_members
    on delete cascade
);
create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_browser on push_subscriptions (browser_hash);
select protect_table('push_subscriptions');

create table notice_cursors (
  store_id uuid primary key references stores on delete cascade,
  epoch integer not null,
  xid xid8 not null,
  id uuid not null
);
select protect_table('notice_cursors')`;

/** Browsers that tell their owners of new orders, and up to which event a store's members were told. */
export class PushSubscriptions1795900000005 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }
}
