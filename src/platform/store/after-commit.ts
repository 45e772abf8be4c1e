/**
 * What a handler returns when the rest of its work must wait for the commit: messages to the outside. The change and its audit
 * row are committed first; `run` then makes the result, and may open the session anew.
 */
export class AfterCommit<Result> {
  /** @param interim the result returned for a repeat with the same Idempotency-Key if `run` never finishes */
  constructor(
    readonly run: () => Promise<Result>,
    readonly interim?: Result,
  ) {}
}
