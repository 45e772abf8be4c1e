import { Injectable } from '@nestjs/common';
import { hashToken } from '../platform/auth/token.js';
import { Clock } from '../platform/clock.js';
import { SystemDatabase } from '../platform/database/system.js';
import { newSecret } from './one-time-link.js';

/** More are forgotten, the longest unused first. */
const MAX_PER_USER = 20;

const REMEMBER = `
  with others as (select token_hash from known_browsers where user_id = $1 and token_hash <> $2 order by last_used_at desc offset ${MAX_PER_USER - 1}),
  forgotten as (delete from known_browsers where user_id = $1 and token_hash in (select token_hash from others))
  insert into known_browsers (user_id, token_hash, last_used_at) values ($1, $2, $3)
  on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at`;

/**
 * Browsers that have signed in to an account before, told by a cookie that lasts. It signs nobody in: whoever has it only has
 * password attempts that strangers cannot use up.
 */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly database: SystemDatabase,
    private readonly clock: Clock,
  ) {}

  /** @returns the hash of the browser's cookie when it has signed in to the account of the address, else null */
  async recognize(cookie: string | null, email: string): Promise<string | null> {
    if (cookie === null) return null;
    const [known] = await this.database.query<{ hash: string }>(
      `select b.token_hash as hash from known_browsers b join users u on u.id = b.user_id where b.token_hash = $1 and u.email = $2`,
      [hashToken(cookie), email],
    );
    return known?.hash ?? null;
  }

  /** @returns the cookie the browser is to have; its own, if it is one that we gave it */
  async remember(cookie: string | null, userId: string): Promise<string> {
    const kept = cookie !== null && (await this.isOurs(cookie)) ? cookie : newSecret();
    await this.database.query(REMEMBER, [userId, hashToken(kept), this.clock.now()]);
    return kept;
  }

  /** A cookie somebody else put into the browser is not remembered: its maker would know it. */
  private async isOurs(cookie: string): Promise<boolean> {
    const known = await this.database.query('select from known_browsers where token_hash = $1 limit 1', [hashToken(cookie)]);
    return known.length > 0;
  }

  /** @param kept the hash of the one that stays */
  async forgetOthers(userId: string, kept: string | null): Promise<void> {
    await this.database.query('delete from known_browsers where user_id = $1 and token_hash is distinct from $2', [userId, kept]);
  }
}
