import { ownerQuery, TestClock } from './test-app.js';
import type { TestDatabase } from './own-database.js';

/**
 * The clock of a whole installation: the processes' and the database's, which stand still until told. The same statements run as in
 * production; only `shop_now()`, the one place where they read the time, reads a row instead.
 */
export class DatabaseClock extends TestClock {
  private constructor(private readonly database: TestDatabase) {
    super();
  }

  /** @param database one of the test's own */
  static async of(database: TestDatabase): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database);
    await ownerQuery(
      `create table test_clock (time timestamptz not null);
       grant select on test_clock to public;
       create or replace function shop_now() returns timestamptz language sql stable as $$ select time from test_clock $$`,
      [],
      database.ownerUrl,
    );
    await ownerQuery('insert into test_clock values ($1)', [clock.now()], database.ownerUrl);
    return clock;
  }

  /** Lets so many milliseconds pass, everywhere. */
  async pass(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
    await ownerQuery('update test_clock set time = $1', [this.now()], this.database.ownerUrl);
  }
}
