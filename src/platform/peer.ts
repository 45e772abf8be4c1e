import type { Worker } from 'node:cluster';

/** One end of the channel that Node keeps between a process and its child. */
type Channel = NodeJS.Process | Worker;
type Send = (message: Message, callback: (error: Error | null) => void) => unknown;

type Message =
  | { shop: 'ask'; id: number; about: string; values: unknown[] }
  | { shop: 'answer'; id: number; value: unknown };
type Answer = (...values: never[]) => unknown;

/**
 * Lets the processes of one service ask each other questions (SHOP_PROCESSES): the parent its children, and
 * the children the parent. A question to a process that has ended is answered with null.
 */
export class Peer {
  private readonly asked = new Map<number, (value: unknown) => void>();
  private readonly answers = new Map<string, Answer>();
  private ids = 0;

  constructor(private readonly channel: Channel) {
    (channel as NodeJS.Process).on('message', (given: unknown) => {
      const message = given as Message | null;
      if (message?.shop === 'answer') this.settle(message.id, message.value);
      if (message?.shop === 'ask') void this.answer(message);
    });
  }

  /** @returns the answer of the other process; null if it has ended, or does not know the question */
  ask<Value>(about: string, ...values: unknown[]): Promise<Value | null> {
    return new Promise((resolve) => {
      const id = ++this.ids;
      this.asked.set(id, resolve as (value: unknown) => void);
      this.send({ shop: 'ask', id, about, values }, () => this.settle(id, null));
    });
  }

  /** Registers the answer to a question of the other process. */
  on(about: string, answer: Answer): void {
    this.answers.set(about, answer);
  }

  /** To be called when the other process has ended: answers all open questions with null. */
  end(): void {
    for (const id of this.asked.keys()) this.settle(id, null);
  }

  private async answer({ id, about, values }: Message & { shop: 'ask' }): Promise<void> {
    const value = await (this.answers.get(about) as ((...values: unknown[]) => unknown) | undefined)?.(
      ...values,
    );
    this.send({ shop: 'answer', id, value: value ?? null });
  }

  private settle(id: number, value: unknown): void {
    this.asked.get(id)?.(value);
    this.asked.delete(id);
  }

  private send(message: Message, failed: () => void = () => undefined): void {
    if (!this.channel.send) return failed();
    try {
      // Called as a method, because both kinds of channel need `this`.
      (this.channel as { send: Send }).send(message, (error) => {
        if (error) failed();
      });
    } catch {
      failed();
    }
  }
}
