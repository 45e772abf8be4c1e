/**
 * When a failed delivery is tried again. There is one delay, in seconds, for each retry, counted from the
 * previous failure (docs/behaviour.md §7.3). The first attempt needs no delay, so there is one more attempt
 * than delays.
 */
export class RetrySchedule {
  readonly maxAttempts: number;

  constructor(private readonly delaysSeconds: readonly number[]) {
    this.maxAttempts = delaysSeconds.length + 1;
  }

  /**
   * Milliseconds from the latest failure to the next attempt, or null when the attempts are used up.
   * @param failedAttempts how many attempts have failed, the latest included
   * @throws RangeError when `failedAttempts` is not a whole number of at least 1
   */
  retryInMs(failedAttempts: number): number | null {
    if (!Number.isInteger(failedAttempts) || failedAttempts < 1) {
      throw new RangeError(`failedAttempts must be a whole number of at least 1, not ${failedAttempts}`);
    }
    const delay = this.delaysSeconds[failedAttempts - 1];
    return delay === undefined ? null : delay * 1000;
  }
}
