import { randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system-database.js';
import { newPassword } from './password.js';
import type { Role, Session } from './sessions.service.js';

/** A store as one of its members sees it. */
export interface MembershipRow extends Record<string, unknown> {
  id: string;
  name: string;
  currency: string;
  plan: string;
  role: Role;
  createdAt: Date;
}

export interface MemberRow extends Record<string, unknown> {
  userId: string;
  email: string;
  role: Role;
  createdAt: Date;
}

/** People's accounts. They belong to no store, or to several, so they are reached past any store's session. */
@Injectable()
export class Accounts implements OnModuleInit {
  /** Verified where there is no account, so that it takes the same time. */
  private decoyHash: string;

  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.decoyHash = await hash(randomBytes(16));
  }

  /** @returns the user's id, or null for a wrong password and for an unknown account alike */
  async authenticate(email: string, password: string): Promise<string | null> {
    const [user] = await this.database.query<{ id: string; passwordHash: string }>(
      `select id, password_hash as "passwordHash" from users where email = $1`,
      [email],
    );
    const right = await verify(user?.passwordHash ?? this.decoyHash, password);
    return user && right ? user.id : null;
  }

  /** Sets a new password and ends the user's other sessions, which somebody else may hold. */
  async changePassword({ userId, tokenHash }: Session, password: string): Promise<void> {
    const passwordHash = await hash(password);
    await this.database.transaction(async (client) => {
      await client.query('update users set password_hash = $2 where id = $1', [userId, passwordHash]);
      await client.query('delete from sessions where user_id = $1 and token_hash <> $2', [userId, tokenHash]);
    });
  }

  /** The stores a user may see, newest first. */
  storesOf(userId: string): Promise<MembershipRow[]> {
    return this.database.query<MembershipRow>(
      `select s.id, s.name, s.currency, s.plan, m.role, s.created_at as "createdAt"
       from store_members m join stores s on s.id = m.store_id where m.user_id = $1 order by s.id desc`,
      [userId],
    );
  }

  /** Who belongs to a store, in the order they came. */
  membersOf(storeId: string): Promise<MemberRow[]> {
    return this.database.query<MemberRow>(
      `select u.id as "userId", u.email, m.role, m.created_at as "createdAt"
       from store_members m join users u on u.id = m.user_id where m.store_id = $1 order by m.created_at, u.id`,
      [storeId],
    );
  }

  /**
   * Finds the account of an address or makes it. One that belongs to no store opens nothing, so it gets a new password too: that is
   * how somebody who lost theirs is let in again.
   * @returns the password when it was made here; null for an account in use, which keeps its own
   */
  async findOrCreate(email: string): Promise<{ userId: string; password: string | null }> {
    const password = newPassword();
    const passwordHash = await hash(password);
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ id: string; isNew: boolean }>(
        `insert into users as u (id, email, password_hash, created_at) values ($1, $2, $3, $4)
         on conflict (email) do update set password_hash = case
           when exists (select from store_members m where m.user_id = u.id) then u.password_hash else excluded.password_hash end
         returning id, password_hash = $3 as "isNew"`,
        [uuidv7(), email, passwordHash, this.clock.now()],
      );
      const [{ id, isNew }] = rows;
      if (isNew) await client.query('delete from sessions where user_id = $1', [id]);
      return { userId: id, password: isNew ? password : null };
    });
  }
}
