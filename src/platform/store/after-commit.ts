/**
 * The result of a handler whose remaining work, such as sending a message, must wait for the commit. The
 * change and its audit row are committed first. `run` then produces the result, and may use the session
 * again.
 */
export class AfterCommit<Result> {
  /** @param interim the result returned for a repeat with the same Idempotency-Key if `run` never finishes */
  constructor(
    readonly run: () => Promise<Result>,
    readonly interim?: Result,
  ) {}
}
