import { ownerQuery, TestClock } from '../test-app.js';
import type { TestDatabase } from './own-database.js';

/**
 * The clock of a whole installation, for its processes and its database. It stands still until the test moves
 * it. The same statements run as in production; only `shop_now()`, the only place where they read the time,
 * reads a row instead.
 */
export class DatabaseClock extends TestClock {
  private constructor(private readonly database: TestDatabase) {
    super();
  }

  /** @param database must be the test's own */
  static async of(database: TestDatabase): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database);
    await ownerQuery(
      `create table test_clock (time timestamptz not null);
       grant select on test_clock to public;
       create or replace function shop_now() returns timestamptz language sql stable as $$ select time
         from test_clock $$`,
      [],
      database.ownerUrl,
    );
    await ownerQuery('insert into test_clock values ($1)', [clock.now()], database.ownerUrl);
    return clock;
  }

  /** Moves the time on everywhere. */
  async pass(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
    await ownerQuery('update test_clock set time = $1', [this.now()], this.database.ownerUrl);
  }
}
