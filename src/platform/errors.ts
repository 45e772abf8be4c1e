import { type Given, type Problem, type Sentence, tell, type Told } from './problems.js';

/**
 * The codes of the specification's Errors table and the two further ones of docs/behaviour.md §1.3, each with
 * its HTTP status.
 */
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

/**
 * How much of a long message is returned, from its start and its end, so that a caller's megabyte of input is
 * not sent back.
 */
const SHOWN = { start: 6_000, end: 500 };

function shortened(message: string): string {
  if (message.length <= SHOWN.start + SHOWN.end) return message;
  return `${message.slice(0, SHOWN.start)}…${message.slice(-SHOWN.end)}`.toWellFormed();
}

/** A refusal that is returned to the caller. Any other error becomes `internal_error` and is logged. */
export class OperationError extends Error {
  readonly status: number;
  private told: Told | undefined;

  /** @param retryAfterSeconds of a refusal that passes: a whole number of seconds, at least 1 */
  constructor(
    readonly code: ErrorCode,
    message: string | Sentence,
    readonly retryAfterSeconds?: number,
  ) {
    super(shortened(typeof message === 'string' ? message : message.text));
    this.status = ERROR_STATUS[code];
    this.told = typeof message === 'string' ? undefined : message.told;
  }

  /** Says for pages what the refusal is about. Without it, its problem is its code. */
  about<Name extends Problem>(problem: Name, ...given: Given<Name>): this {
    this.told = tell(problem, ...given);
    return this;
  }

  envelope(): { ok: false; error: { code: ErrorCode; message: string } } {
    return { ok: false, error: { code: this.code, message: this.message } };
  }

  /** The envelope for callers that have pages: shoppers' and owners'. */
  envelopeForPages() {
    const { code, message, forPages } = this;
    return { ok: false, error: { code, message, ...forPages } };
  }

  get forPages(): Told {
    return this.told ?? { problem: this.code, values: {} };
  }

  /** The refusal as a sentence, for an item of many. */
  get sentence(): Sentence {
    return { text: this.message, told: this.told };
  }
}

/**
 * @param message starts with the path of the field that it is about; if it is about none, it is a sentence
 * that begins with a capital letter
 */
export const invalidInput = (message: string | Sentence) => new OperationError('invalid_input', message);
/**
 * @param id the id that the caller gave, if a store may have several such records
 * @param hint text that is appended to the sentence and may help
 */
export const notFound = (what: string, id?: string | number, hint = '') => {
  const name = id === undefined ? what : `${what} ${String(id).slice(0, 100).toWellFormed()}`;
  return new OperationError('not_found', `${name} was not found in this store${hint}`);
};
export const noSuchStore = () => new OperationError('not_found', 'There is no such store');
export const forbidden = (message: string) => new OperationError('forbidden', message);

const constraintMessages = new Map<string, string | Sentence>();

/**
 * Declares what a violated database constraint means to the caller, so that services need not check before
 * they write: `explainConstraints({ brands_slug_key: used('slug', 'brand of this store') })`.
 */
export function explainConstraints(messages: Record<string, string | Sentence>): void {
  for (const [constraint, message] of Object.entries(messages)) constraintMessages.set(constraint, message);
}

/** The refusal for the caller; null if the error is internal and belongs in the log. */
export function asRefusal(error: unknown): OperationError | null {
  if (error instanceof OperationError) return error;
  const ended = ENDED[codeOf(error) ?? ''];
  if (ended !== undefined) return new Unavailable(ended, error);
  const constraint = (error as { constraint?: string; driverError?: { constraint?: string } } | null)
    ?.constraint;
  const message = constraint === undefined ? undefined : constraintMessages.get(constraint);
  return message === undefined ? null : invalidInput(message);
}

/** The refusal that was caught. @throws the error itself if it is internal */
export function refusalOf(error: unknown): OperationError {
  const refusal = asRefusal(error);
  if (!refusal) throw error;
  return refusal;
}

const codeOf = (error: unknown): string | undefined => {
  const { code, driverError } = (error ?? {}) as { code?: string; driverError?: { code?: string } };
  return driverError?.code ?? code;
};

/** What the database did not wait for any longer: lock_not_available and query_canceled. */
const ENDED: Record<string, string> = {
  '55P03': 'Other calls are changing the same records at the moment, and nothing was changed: send it again.',
  '57014': 'This took too long, and nothing was changed: ask for less, or send it again later.',
};

/** After so many seconds a call may be sent again while the database is away. */
const RETRY_SECONDS = 2;

/**
 * A call that failed because the database was away, or had no room: `internal_error` with status 503 and
 * Retry-After. The message says whether the call can be sent again (docs/behaviour.md §16); the cause is for
 * the log.
 */
export class Unavailable extends OperationError {
  override readonly status = 503;

  /** @param cause null if nothing failed, because the store moves: then nothing is logged */
  constructor(
    message: string,
    override readonly cause: unknown,
  ) {
    super('internal_error', message, RETRY_SECONDS);
  }
}

/** Nobody reads the answer any more. */
export class CallerLeft extends Unavailable {
  constructor() {
    super('The caller has left, and nothing was changed.', null);
  }
}

const AWAY = 'The service cannot use its database at the moment';
export const WHILE_AWAY = {
  plain: `${AWAY}: try again.`,
  unchanged: `${AWAY}, and nothing was changed: send the call again.`,
  unknown: `${AWAY}, and whether the change was made is not known: look before sending the call again.`,
  keyed: `${AWAY}. Send the call again with the same Idempotency-Key: it is not carried out twice.`,
};
/** With the place behind it, why a store is suspended that was moved away. */
export const MOVED_TO = 'moved to ';
export const WHILE_MOVED =
  'The store is being moved to another installation, and only answers reads: send the call again.';
export const JUST_MOVED = 'The store has just been moved to another installation: send the call again.';

export const INTERNAL_ERROR = new OperationError(
  'internal_error',
  'Something went wrong on our side. Give the request id to support.',
);
