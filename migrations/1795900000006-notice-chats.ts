import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

const TABLES = `
alter table notice_cursors add column began_at timestamptz(3);

create table notice_chats (
  store_id uuid not null,
  user_id uuid not null,
  language text not null,
  code_hash text,
  code_expires_at timestamptz(3),
  chat_id bigint,
  bot_id bigint,
  linked_at timestamptz(3),
  last_sent_at timestamptz(3),
  blocked_at timestamptz(3),
  primary key (store_id, user_id),
  constraint notice_chats_member foreign key (store_id, user_id) references store_members on delete cascade
);
create index notice_chats_of_user on notice_chats (user_id);
select protect_table('notice_chats')`;

/** Chats in which the store's bot tells members of new orders. */
export class NoticeChats1795900000006 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }
}
