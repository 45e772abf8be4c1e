/** What the service refuses a call with; `internal_error` is its own fault. */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_token'
  | 'forbidden'
  | 'not_found'
  | 'unknown_tool'
  | 'precondition_failed'
  | 'rate_limited'
  | 'internal_error';

/** The service answered, and refused. `message` names the field and what is allowed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** The HTTP status. */
    readonly status: number,
    readonly operation: string,
    /** Finds the call in the service's log and audit. */
    readonly requestId: string | null,
    /** Seconds to wait, on `rate_limited`. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  /** Whether the value is a refusal, and of this code when one is given. */
  static is<Code extends ErrorCode = ErrorCode>(value: unknown, code?: Code): value is Refusal & { code: Code } {
    return value instanceof Refusal && (code === undefined || value.code === code);
  }
}

/** No answer of the service arrived: the connection failed, timed out, or something in between answered. `cause` says what happened. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(
    readonly operation: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
