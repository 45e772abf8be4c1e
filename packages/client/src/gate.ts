/** The headers of an answer that tell how many calls are left. */
interface Announced {
  remaining: number;
  /** Milliseconds until a call is given back. */
  resetMs: number;
}

/** A call that waits for its turn. */
export interface Turn {
  /** When the call became the first of those that wait; null before. Milliseconds since 1970. */
  firstSince: number | null;
  /** The number of the attempt under way. Attempts of all calls are numbered as they are sent. */
  attempt: number;
  /** Sends the call, or ends its waiting with an error. */
  settle?: ((error?: Error) => void) | undefined;
}

/** How many calls are sent at once before an answer has told how many are left. */
const UNTOLD = 4;

/**
 * Sends the calls of one budget in the order in which they were made, as the service's `RateLimit-*` headers
 * allow. A call that was refused for the rate limit is the first again.
 */
export class Gate {
  readonly #maxWaitMs: number;
  readonly #waiting: Turn[] = [];
  /** Calls that may be sent; null until an answer has told. */
  #left: number | null = null;
  #underWay = 0;
  #sent = 0;
  /** The newest attempt that was answered. */
  #told = 0;
  /** When the next call may be sent if none is left. */
  #opensAt = 0;
  /** When a call last got through. Milliseconds since 1970. */
  #movedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param maxWaitMs how long the first of the waiting calls waits while none gets through, in ms */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs;
  }

  turn(): Turn {
    return { firstSince: null, attempt: 0 };
  }

  /** Resolves when the call may be sent. @throws the reason of the signal if it is aborted */
  enter(turn: Turn, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        turn.settle!(signal!.reason as Error);
        this.#open();
      };
      turn.settle = (error) => {
        signal?.removeEventListener('abort', stop);
        if (error === undefined) resolve();
        else reject(error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      if (turn.firstSince === null) this.#waiting.push(turn);
      else this.#waiting.unshift(turn);
      this.#open();
    });
  }

  /**
   * Notes the answer of an attempt.
   * @param headers those of the answer; null if there was none
   */
  leave({ attempt }: Turn, headers: Headers | null): void {
    this.#underWay--;
    const announced = headers && announcedBy(headers);
    if (headers && !headers.has('retry-after')) this.#movedAt = Date.now();
    if (headers?.has('retry-after')) {
      this.#left = 0;
      this.#opensAt = Math.max(this.#opensAt, Date.now() + 1_000 * Number(headers.get('retry-after')));
    } else if (announced && attempt > this.#told) {
      this.#told = attempt;
      // Attempts that were sent later may not have been counted yet.
      this.#left = announced.remaining - (this.#sent - attempt);
      this.#opensAt = this.#left > 0 ? 0 : Date.now() + announced.resetMs;
    } else if (headers && !announced && this.#left === null) {
      this.#left = Infinity;
    } else if (headers === null && this.#left !== null) {
      this.#left++;
    }
    this.#open();
  }

  /** Whether a call that was refused for the rate limit may wait so long. */
  mayWait(turn: Turn, pauseMs: number): boolean {
    return Date.now() + pauseMs <= this.#waitsUntil(turn);
  }

  /**
   * Other programs with the same token may take what is given back. While some calls get through, it pays to
   * wait.
   */
  #waitsUntil({ firstSince }: Turn): number {
    return Math.max(firstSince!, this.#movedAt) + this.#maxWaitMs;
  }

  #open(): void {
    clearTimeout(this.#timer);
    for (let turn; (turn = this.#waiting[0]); this.#send(turn)) {
      const now = Date.now();
      turn.firstSince ??= now;
      const waitsUntil = this.#waitsUntil(turn);
      if (this.#isOpen(now) || now >= waitsUntil) continue;
      if (this.#opensAt === 0) return;
      // After its longest wait a call is sent all the same, so that the service says why it is refused.
      this.#timer = setTimeout(() => this.#open(), Math.max(0, Math.min(this.#opensAt, waitsUntil) - now));
      return;
    }
  }

  #isOpen(now: number): boolean {
    if (this.#left === null) return this.#underWay < UNTOLD;
    if (this.#left <= 0 && this.#opensAt > 0 && now >= this.#opensAt) {
      // One call at least has been given back. Its answer tells how many more.
      this.#left = 1;
      this.#opensAt = 0;
    }
    return this.#left > 0;
  }

  #send(turn: Turn): void {
    this.#waiting.shift();
    this.#underWay++;
    if (this.#left !== null) this.#left--;
    turn.attempt = ++this.#sent;
    turn.settle!();
  }
}

function announcedBy(headers: Headers): Announced | null {
  const remaining = headers.get('ratelimit-remaining');
  const reset = headers.get('ratelimit-reset');
  if (remaining === null || reset === null) return null;
  return { remaining: Number(remaining), resetMs: 1_000 * Number(reset) };
}
