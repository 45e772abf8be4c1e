import type { ServerResponse } from 'node:http';

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

/**
 * The result of a handler that streams its answer instead of returning JSON. The endpoint names the type in
 * `stream`. The call's transaction has ended by the time the answer is written.
 */
export class Streamed {
  /**
   * @param write writes the body and ends the response; it must not throw
   * @param headers the content type and any other headers
   */
  constructor(
    readonly write: (response: ServerResponse) => void,
    readonly headers: Record<string, string>,
    /** Called instead of `write` for a HEAD request. */
    readonly abandon: () => void = () => undefined,
  ) {}
}

/** The envelope of another operation, which the handler ran, as its own answer. */
export class Answered {
  constructor(readonly envelope: string) {}
}
