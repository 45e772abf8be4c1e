import { wait } from './wait.js';

export interface FeedOptions {
  /**
   * The `nextCursor` of the last page that was handled. By default the first page begins with the oldest
   * stored entry.
   */
  cursor?: string | undefined;
  /** The number of entries on a page, at most 100. The default is 20. */
  take?: number | undefined;
  /** Whether to wait for new entries, which is the default, or to end after the newest one. */
  follow?: boolean | undefined;
  /**
   * The shortest time between two calls that wait, in milliseconds, so that a busy store does not use up the
   * budget of reads. The default is 1,000.
   */
  pollMs?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/** How long the service holds the answer of a call that waits for something new, in seconds. */
const HOLD_SECONDS = 20;

/** Where a call reads a feed, and how long it waits for something new. */
interface Place {
  cursor: string | undefined;
  take: number;
  waitSeconds: number;
}

/** The pages of a feed that are not empty, each once. The first call and those that catch up do not wait. */
export async function* feed<Page extends { items: unknown[]; nextCursor: string }>(
  read: (place: Place) => Promise<Page>,
  { cursor, take = 20, follow = true, pollMs = 1_000, signal }: FeedOptions,
): AsyncGenerator<Page, void> {
  const place: Place = { cursor, take, waitSeconds: 0 };
  while (!signal?.aborted) {
    const next = Date.now() + pollMs;
    const page = await read(place).catch((error: unknown) => {
      if (signal?.aborted) return null;
      throw error;
    });
    if (page === null) return;
    place.cursor = page.nextCursor;
    if (page.items.length > 0) yield page;
    else if (!follow) return;
    place.waitSeconds = follow && page.items.length < take ? HOLD_SECONDS : 0;
    if (place.waitSeconds > 0) await wait(next - Date.now(), signal).catch(() => undefined);
  }
}

/** How long the service may hold the answer because the call asks for it, in milliseconds. */
export function heldMs(input: { waitSeconds?: unknown }): number {
  const { waitSeconds } = input;
  return typeof waitSeconds === 'number' && waitSeconds > 0 ? 1_000 * Math.min(waitSeconds, 25) : 0;
}
