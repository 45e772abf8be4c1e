/**
 * Reports to whoever delivers that a store has something due. Only a hint: the fact is the delivery row, and a sweep finds it within
 * a second when the hint is lost. Ringing never fails, never waits and needs no answer.
 */
export abstract class Doorbell {
  abstract ring(storeId: string): void;

  /** Resolves when what was rung is on its way, or lost; for a process that is about to end. */
  abstract settled(): Promise<void>;
}
