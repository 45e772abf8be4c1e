/** The codes with which the service refuses calls; `internal_error` is an error of the service. */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_token'
  | 'forbidden'
  | 'not_found'
  | 'unknown_tool'
  | 'precondition_failed'
  | 'rate_limited'
  | 'internal_error';

/** The service refused the call. For `invalid_input`, `message` names the field and what it accepts. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** The HTTP status. */
    readonly status: number,
    readonly operation: string,
    /** The id with which the call can be found in the service's logs and audit log. */
    readonly requestId: string | null,
    /** The seconds to wait before the next call, for `rate_limited`. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  /** Whether the value is a refusal, with this code if one is given. */
  static is<Code extends ErrorCode = ErrorCode>(
    value: unknown,
    code?: Code,
  ): value is Refusal & { code: Code } {
    return value instanceof Refusal && (code === undefined || value.code === code);
  }
}

/**
 * The service did not answer: the connection failed or timed out, or a proxy answered instead. `cause` has
 * the details.
 */
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
