/** Where a rate gate gets its time from: a monotonic clock in milliseconds, and a sleep. */
export interface SendRateTime {
  now(): number;
  sleep(ms: number): Promise<void>;
}

interface Gate {
  /** Settles when the last caller in line has passed. */
  lineEnd: Promise<void>;
  waiting: number;
  /** When the latest callers passed, oldest first, as many as fit in one window. */
  passedAt: number[];
}

/** What the messenger takes of a bot (docs/behaviour.md §6.8). */
export const MESSAGES_PER_SECOND = 25;
/** A tenth longer than the second they count: messages do not arrive at the pace at which they set out. */
const WINDOW_MS = 1100;

const SYSTEM_TIME: SendRateTime = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Keeps each bot within 25 messages in any second (docs/behaviour.md §6.8), whoever in this process sends by it. Share one
 * instance, and take one turn just before each message: a caller that takes many turns ahead makes the others wait.
 */
export class SendRate {
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly time: SendRateTime = SYSTEM_TIME) {}

  /** Resolves when the bot may send its next message; callers pass in the order they came. `botId` is the public bot id. */
  take(botId: string): Promise<void> {
    const gate = this.gateOf(botId);
    gate.waiting++;
    gate.lineEnd = gate.lineEnd.then(() => this.pass(gate));
    return gate.lineEnd;
  }

  /** Measures when callers really pass, not when they were due: after a stall of the process no second burst catches up. */
  private async pass(gate: Gate): Promise<void> {
    if (gate.passedAt.length === MESSAGES_PER_SECOND) {
      const opensAt = gate.passedAt[0] + WINDOW_MS;
      // In a loop, since a timer may fire a moment early.
      for (let wait = opensAt - this.time.now(); wait > 0; wait = opensAt - this.time.now())
        await this.time.sleep(Math.ceil(wait));
      gate.passedAt.shift();
    }
    gate.passedAt.push(this.time.now());
    gate.waiting--;
  }

  private gateOf(botId: string): Gate {
    let gate = this.gates.get(botId);
    if (!gate) {
      this.forgetIdle();
      gate = { lineEnd: Promise.resolve(), waiting: 0, passedAt: [] };
      this.gates.set(botId, gate);
    }
    return gate;
  }

  /** A bot whose last message is over a window old is like one that never sent. */
  private forgetIdle(): void {
    const idleSince = this.time.now() - WINDOW_MS;
    for (const [botId, { waiting, passedAt }] of this.gates) {
      if (waiting === 0 && passedAt[passedAt.length - 1] <= idleSince) this.gates.delete(botId);
    }
  }
}
