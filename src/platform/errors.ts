/** The codes of the specification's Errors table, and docs/behaviour.md §1.3's two more, each with its HTTP status. */
export const ERROR_STATUS = {
  invalid_input: 400,
  invalid_token: 401,
  forbidden: 403,
  not_found: 404,
  unknown_tool: 404,
  precondition_failed: 412,
  rate_limited: 429,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** How much of a longer message is answered, from its start and from its end: what a caller sent does not come back by the megabyte. */
const SHOWN = { start: 6_000, end: 500 };

function shortened(message: string): string {
  if (message.length <= SHOWN.start + SHOWN.end) return message;
  return `${message.slice(0, SHOWN.start)}…${message.slice(-SHOWN.end)}`.toWellFormed();
}

/** A refusal the caller may read. Everything else that is thrown becomes `internal_error` and goes to the log. */
export class OperationError extends Error {
  readonly status: number;

  /** @param retryAfterSeconds only for rate_limited: whole seconds, at least 1 */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(shortened(message));
    this.status = ERROR_STATUS[code];
  }

  envelope(): { ok: false; error: { code: ErrorCode; message: string } } {
    return { ok: false, error: { code: this.code, message: this.message } };
  }
}

/** @param message starts with the path of the field it is about */
export const invalidInput = (message: string) => new OperationError('invalid_input', message);
/**
 * @param id what the caller named it by, where a store may have several
 * @param hint what may help, to be read on after the sentence
 */
export const notFound = (what: string, id?: string | number, hint = '') => {
  const name = id === undefined ? what : `${what} ${String(id).slice(0, 100).toWellFormed()}`;
  return new OperationError('not_found', `${name} was not found in this store${hint}`);
};
export const noSuchStore = () => new OperationError('not_found', 'There is no such store');
export const forbidden = (message: string) => new OperationError('forbidden', message);

const constraintMessages = new Map<string, string>();

/**
 * Reports what a violated database constraint means to the caller, so that services need not check before they write:
 * `explainConstraints({ brands_slug_key: 'slug is already used by another brand' })`.
 */
export function explainConstraints(messages: Record<string, string>): void {
  for (const [constraint, message] of Object.entries(messages)) constraintMessages.set(constraint, message);
}

/** What went wrong, as the caller may see it; null when the cause is ours and belongs in the log. */
export function asRefusal(error: unknown): OperationError | null {
  if (error instanceof OperationError) return error;
  const constraint = (error as { constraint?: string; driverError?: { constraint?: string } } | null)?.constraint;
  const message = constraint === undefined ? undefined : constraintMessages.get(constraint);
  return message === undefined ? null : invalidInput(message);
}

/**
 * A call that ended with the connection to the database: what its caller is answered, and the cause for the log. The caller hears
 * whether the call can be sent again (docs/behaviour.md §16).
 */
export class Interrupted extends Error {
  constructor(
    readonly refusal: OperationError,
    cause: unknown,
  ) {
    super(refusal.message, { cause });
  }
}

const WRONG = 'Something went wrong on our side';
export const INTERRUPTED = {
  unchanged: new OperationError('internal_error', `${WRONG}, and nothing was changed: the call can be sent again.`),
  unknown: new OperationError(
    'internal_error',
    `${WRONG}, and whether the change was made is not known: look before sending the call again.`,
  ),
  keyed: new OperationError(
    'internal_error',
    `${WRONG}. Send the call again with the same Idempotency-Key: it is not carried out twice.`,
  ),
};

export const INTERNAL_ERROR = new OperationError(
  'internal_error',
  'Something went wrong on our side. Give the request id to support.',
);
