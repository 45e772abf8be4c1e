import type { Clock } from '../platform/clock.js';
import type { Timers } from '../platform/timers.js';

interface Gate {
  /** Resolves when the last waiting caller has passed. */
  lineEnd: Promise<void>;
  waiting: number;
  /** The times at which the latest callers passed, oldest first; at most MESSAGES_PER_SECOND. */
  passedAt: number[];
}

/** The number of messages per second that the messenger accepts from a bot (docs/behaviour.md §6.8). */
export const MESSAGES_PER_SECOND = 25;
/**
 * A tenth longer than a second, because messages do not arrive at the same intervals at which they are sent.
 */
const WINDOW_MS = 1100;

/**
 * Limits each bot to 25 messages in any second (docs/behaviour.md §6.8), for all senders in this process.
 * Share one instance, and take one turn just before each message: a caller that takes many turns in advance
 * makes the others wait.
 */
export class SendRate {
  private readonly gates = new Map<string, Gate>();

  constructor(
    private readonly clock: Pick<Clock, 'elapsed'>,
    private readonly timers: Pick<Timers, 'sleep'>,
  ) {}

  /**
   * Resolves when the bot may send its next message. Callers pass in the order of their calls. `botId` is the
   * public bot id.
   */
  take(botId: string): Promise<void> {
    const gate = this.gateOf(botId);
    gate.waiting++;
    gate.lineEnd = gate.lineEnd.then(() => this.pass(gate));
    return gate.lineEnd;
  }

  /**
   * Records when callers really pass instead of when they were due, so that no burst follows a stall of the
   * process.
   */
  private async pass(gate: Gate): Promise<void> {
    if (gate.passedAt.length === MESSAGES_PER_SECOND) {
      const opensAt = gate.passedAt[0] + WINDOW_MS;
      // This is a loop because a timer may fire slightly early.
      for (let wait = opensAt - this.clock.elapsed(); wait > 0; wait = opensAt - this.clock.elapsed())
        await this.timers.sleep(Math.ceil(wait));
      gate.passedAt.shift();
    }
    gate.passedAt.push(this.clock.elapsed());
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

  /**
   * Removes bots whose last message is older than a window. They need not wait, like bots that have never
   * sent.
   */
  private forgetIdle(): void {
    const idleSince = this.clock.elapsed() - WINDOW_MS;
    for (const [botId, { waiting, passedAt }] of this.gates) {
      if (waiting === 0 && passedAt[passedAt.length - 1] <= idleSince) this.gates.delete(botId);
    }
  }
}
