import { paced } from '../waiting/paced.mjs';
import pg from 'pg';

/**
 * Repeatedly asks the server which statements wait for a lock and for how long, so that the result does not
 * depend on the machine's load.
 */
export class LockWatch {
  /** How often a statement was found waiting, and the longest wait. */
  waits = 0;
  longestMs = 0;
  /** The statement that waited longest. */
  longest = '';
  private isStopped = false;
  private watching: Promise<void>;

  private constructor(private readonly client: pg.Client) {}

  static async start(url: string): Promise<LockWatch> {
    const client = new pg.Client({ connectionString: url, application_name: 'lock-watch' });
    await client.connect();
    const watch = new LockWatch(client);
    watch.watching = watch.watch();
    return watch;
  }

  async stop(): Promise<this> {
    this.isStopped = true;
    await this.watching;
    await this.client.end();
    return this;
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      const { rows } = await this.client.query<{ ms: number; query: string }>(
        `select extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms, a.query
          from pg_locks l
         join pg_stat_activity a on a.pid = l.pid
         where not l.granted and l.waitstart is not null and a.datname = current_database()
           and a.query !~* '^\\s*create (unique )?index concurrently' order by ms desc limit 1`,
      );
      if (rows.length > 0) this.waits++;
      if (rows.length > 0 && rows[0].ms > this.longestMs)
        [this.longestMs, this.longest] = [rows[0].ms, rows[0].query];
      await paced(20);
    }
  }
}
