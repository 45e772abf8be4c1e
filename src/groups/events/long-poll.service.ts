import { Injectable } from '@nestjs/common';
import { Caps } from '../../platform/caps/caps.js';
import { Drain } from '../../platform/http/drain.js';
import { type LiveChange, REFETCH } from '../../platform/store/live-changes.js';
import type { StoreContext } from '../../platform/store/store-context.js';

/**
 * The pauses between looks, in milliseconds, after a change was heard of: it can be read only once older
 * transactions have ended. The last one is repeated until there is something.
 */
const PAUSES = [25, 50, 100, 200, 400, 800, 1_600];
const LAST_PAUSE = PAUSES[PAUSES.length - 1];
/** At least so long passes between two looks, however often somebody rings. */
const LEAST_PAUSE_MS = 20;

/**
 * Lets the reader of a feed wait for something new (docs/behaviour.md §14). Meanwhile it holds no connection
 * to the database: it is woken by the notifications of changes, like the pages of the dashboard.
 */
@Injectable()
export class LongPoll {
  private readonly waits = new Set<Wait>();

  constructor(
    private readonly caps: Caps,
    drain: Drain,
  ) {
    drain.whenStopping(() => {
      for (const wait of this.waits) wait.end();
    });
  }

  /** How many calls wait now. */
  get waiting(): number {
    return this.waits.size;
  }

  /**
   * Looks until there is something, the time is over, the caller has left or the service stops. Before each
   * look after a wait the caller is checked again.
   * @param seconds how long to wait at most; 0 looks once
   * @param isWorthALook whether a change can be in the feed
   * @param look reads the feed once, in a statement of its own
   * @throws OperationError rate_limited if the caller's share of waiting calls is taken; what a call of that
   * caller would get now, if that is a refusal
   */
  async read<Result extends { isEmpty: boolean }>(
    ctx: StoreContext,
    seconds: number,
    isWorthALook: (change: LiveChange) => boolean,
    look: () => Promise<Result>,
  ): Promise<Result> {
    const first = await look();
    if (seconds === 0 || !first.isEmpty) return first;
    const { storeId, actor, call, live } = ctx;
    const userId = actor.kind === 'user' ? actor.id! : undefined;
    const free = this.caps.take('waits', { storeId, userId, address: call?.address }, call ?? undefined);
    const wait = new Wait(seconds * 1_000);
    const leaves = call?.signal?.();
    const leave = () => wait.end();
    leaves?.addEventListener('abort', leave, { once: true });
    // The others learn only now that the store is watched, and may not tell what happens until then.
    const looksAlready = live.isWatched(storeId);
    const unwatch = live.watch(storeId, (change) => {
      if (change === REFETCH || isWorthALook(change)) wait.ring();
    });
    this.waits.add(wait);
    try {
      if (leaves?.aborted) wait.end();
      const again = async () => {
        await call?.auth.recharge?.();
        return look();
      };
      return await untilSomething(wait, first, looksAlready ? PAUSES.length - 1 : 0, again);
    } finally {
      this.waits.delete(wait);
      unwatch();
      leaves?.removeEventListener('abort', leave);
      free();
      if (call) call.timing.waitedMs = wait.lasted;
    }
  }
}

/** @param pauses how many of the pauses are left out at first */
async function untilSomething<Result extends { isEmpty: boolean }>(
  wait: Wait,
  first: Result,
  pauses: number,
  look: () => Promise<Result>,
): Promise<Result> {
  let result = first;
  let hasHeard = false;
  while (result.isEmpty && !wait.isOver) {
    if (await wait.pause(PAUSES[pauses++] ?? (hasHeard ? LAST_PAUSE : Infinity))) {
      hasHeard = true;
      pauses = 0;
    }
    if (!wait.isEnded) result = await look();
  }
  return result;
}

/** One call that waits: who rings wakes it, who ends it lets it answer with what it has. */
class Wait {
  private readonly began = performance.now();
  private hasRung = false;
  private wake = () => undefined as void;
  isEnded = false;

  constructor(private readonly longestMs: number) {}

  get lasted(): number {
    return performance.now() - this.began;
  }

  get isOver(): boolean {
    return this.isEnded || this.lasted >= this.longestMs;
  }

  ring(): void {
    this.hasRung = true;
    this.wake();
  }

  end(): void {
    this.isEnded = true;
    this.wake();
  }

  /** Waits so long, but not beyond the end, or until somebody rings. @returns whether somebody has */
  async pause(milliseconds: number): Promise<boolean> {
    await this.sleep(LEAST_PAUSE_MS, () => this.isEnded);
    await this.sleep(milliseconds - LEAST_PAUSE_MS, () => this.isEnded || this.hasRung);
    const { hasRung } = this;
    this.hasRung = false;
    return hasRung;
  }

  private async sleep(milliseconds: number, isAwake: () => boolean): Promise<void> {
    if (isAwake()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(milliseconds, this.longestMs - this.lasted)));
      this.wake = () => {
        if (!isAwake()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }
}
