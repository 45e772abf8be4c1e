import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sever } from './driver.js';

/**
 * How long to wait for a host, in turns of the event loop, because this process receives nothing while it is
 * blocked itself.
 */
const TURNS = 40;
const TURN_MS = 100;

/** The answer of a host about its state. */
export type Answer =
  /** It accepts writes on this timeline. Each promotion begins a new timeline, with the next number. */
  | { kind: 'primary'; timeline: number }
  | { kind: 'standby' }
  /** A server is up, but refuses this role or has no connection left. */
  | { kind: 'refused'; error: Error }
  /** No server answers, or the server is starting or stopping. */
  | { kind: 'away'; error: Error };

/** Asks the only host of a URL on a separate connection. Four seconds without an answer count as `away`. */
export async function askHost(url: string): Promise<Answer> {
  // The service's own Client would look for the primary.
  // eslint-disable-next-line no-restricted-syntax
  const client = new pg.Client({ connectionString: url, application_name: 'shop-host-check' });
  client.on('error', () => undefined);
  const patience = new AbortController();
  void severAfter(client, patience.signal);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(ASK);
    const [{ timeline }] = rows;
    return timeline === null ? { kind: 'standby' } : { kind: 'primary', timeline };
  } catch (error) {
    const { code = '' } = error as { code?: string };
    const isUp = error instanceof pg.DatabaseError && !/^(08|57P)/.test(code);
    return { kind: isUp ? 'refused' : 'away', error: error as Error };
  } finally {
    patience.abort();
    client.end().catch(() => undefined);
  }
}

async function severAfter(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await sleep(TURN_MS, undefined, { ref: false });
    if (signal.aborted) return;
  }
  sever(client);
}

/** The name of a log segment begins with its timeline, in hexadecimal digits. */
const ASK = `
  select case when current_setting('transaction_read_only') = 'off'
    then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;
