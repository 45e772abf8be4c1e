/**
 * Tells the processes that deliver that a store has something due. It is only a hint: the delivery row
 * counts, and a sweep finds it within a second if the hint is lost. Ringing never fails, never waits and
 * needs no answer.
 */
export abstract class Doorbell {
  abstract ring(storeId: string): void;

  /** Resolves when all rings have been sent or lost. For a process that is about to end. */
  abstract settled(): Promise<void>;
}
