import { Inject, Injectable } from '@nestjs/common';
import { hash } from '@node-rs/argon2';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../platform/auth/principal.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system-database.js';
import { isCurrency } from '../platform/money.js';
import { isUuid } from '../platform/operation/formats.js';
import { invalidInput, notFound, OperationError } from '../platform/operation/operation-error.js';
import { EMAIL, MAX_EMAIL, normalEmail } from '../people/email-address.js';
import { MIN_PASSWORD, newPassword } from '../people/password.js';
import { findPlan, PLANS } from './plans.js';

export interface Store extends Record<string, unknown> {
  id: string;
  name: string;
  currency: string;
  plan: string;
  createdAt: Date;
}

export interface NewStore {
  name: string;
  currency: string;
  ownerEmail: string;
  ownerPassword?: string;
  plan?: string;
}

const DEFAULT_PLAN = 'pro';
const COLUMNS = `id, name, currency, plan, created_at as "createdAt"`;

/** Stores as the operator sees them: made, listed, found. Everything inside one goes through its own session. */
@Injectable()
export class Stores {
  constructor(
    @Inject(SystemDatabase) private readonly database: SystemDatabase,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Makes a store with its owner. An account in use owns this store too and keeps its password; one that belongs to no store
   * opens nothing, so whoever made it for the address keeps no key to this one.
   * @returns the password when it was given or generated here, null for an account that existed
   */
  async create(values: NewStore): Promise<Store & { ownerEmail: string; ownerPassword: string | null }> {
    const { name, currency, plan = DEFAULT_PLAN } = values;
    if (name.length < 1 || name.length > 200) throw invalidInput('name must be a string of 1 to 200 characters');
    if (!isCurrency(currency)) throw invalidInput('currency must be an ISO 4217 code such as USD, or XTR');
    if (!findPlan(plan)) throw invalidInput(`plan must be one of ${PLANS.map(({ code }) => code).join(', ')}`);
    const ownerEmail = normalEmail(values.ownerEmail);
    if (!EMAIL.test(ownerEmail) || ownerEmail.length > MAX_EMAIL) throw invalidInput('ownerEmail must be an e-mail address');
    const password = values.ownerPassword ?? newPassword();
    if (password.length < MIN_PASSWORD)
      throw invalidInput(`ownerPassword must be a string of at least ${MIN_PASSWORD} characters`);
    const passwordHash = await hash(password);
    const now = this.clock.now();
    return this.database.transaction(async (client) => {
      const { rows: users } = await client.query<{ id: string; is_new: boolean }>(
        `insert into users as u (id, email, password_hash, created_at) values ($1, $2, $3, $4)
         on conflict (email) do update set password_hash = case
           when exists (select from store_members m where m.user_id = u.id) then u.password_hash else excluded.password_hash end
         returning id, password_hash = $3 as is_new`,
        [uuidv7(), ownerEmail, passwordHash, now],
      );
      if (users[0].is_new) await client.query('delete from sessions where user_id = $1', [users[0].id]);
      const { rows: stores } = await client.query<Store>(
        `insert into stores (id, name, currency, plan, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${COLUMNS}`,
        [uuidv7(), name, currency, plan, now],
      );
      await client.query(`insert into store_members (store_id, user_id, role, created_at) values ($1, $2, 'owner', $3)`, [
        stores[0].id,
        users[0].id,
        now,
      ]);
      return { ...stores[0], ownerEmail, ownerPassword: users[0].is_new ? password : null };
    });
  }

  /**
   * Sets a person's password, for one who lost it, and ends their sessions.
   * @returns the password when it was generated, else null
   * @throws OperationError not_found when nobody has the address
   */
  async resetPassword(email: string, given?: string): Promise<{ email: string; password: string | null }> {
    const password = given ?? newPassword();
    if (password.length < MIN_PASSWORD) throw invalidInput(`password must be a string of at least ${MIN_PASSWORD} characters`);
    const passwordHash = await hash(password);
    const normal = normalEmail(email);
    const changed = await this.database.query(
      `with changed as (update users set password_hash = $2 where email = $1 returning id),
       ended as (delete from sessions where user_id in (select id from changed))
       select id from changed`,
      [normal, passwordHash],
    );
    if (changed.length === 0) throw new OperationError('not_found', 'Nobody has this e-mail address');
    return { email: normal, password: given === undefined ? password : null };
  }

  async list(): Promise<Store[]> {
    return this.database.query<Store>(`select ${COLUMNS} from stores order by id`);
  }

  /** @throws OperationError not_found */
  async get(id: string): Promise<Store> {
    const [store] = isUuid(id)
      ? await this.database.query<Store>(`select ${COLUMNS} from stores where id = $1`, [id], 'get_store')
      : [];
    if (!store) throw notFound('The store');
    return store;
  }

  /** Who the command line is, inside a store. */
  async operator(storeId: string): Promise<Pick<Principal, 'storeId' | 'currency' | 'actor'>> {
    const store = await this.get(storeId);
    return { storeId: store.id, currency: store.currency, actor: { kind: 'system', id: null, name: 'operator' } };
  }
}
