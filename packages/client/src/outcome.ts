import { type ErrorCode, NoAnswer, Refusal } from './refusal.js';

/** Statuses of temporary failures, of the service or of a proxy, after which the call may be repeated. */
const PASSING = new Set([500, 502, 503, 504]);

/** What an attempt of a call came to. `passes` says whether the failure is temporary. */
export type Outcome = { data: unknown } | { failure: Refusal | NoAnswer; passes: boolean };

interface Envelope {
  ok: boolean;
  data?: unknown;
  error?: { code: ErrorCode; message: string };
}

/** Reads an answer, also one of a proxy, which is not an envelope. */
export function outcomeOf(operation: string, { status, headers }: Response, text: string): Outcome {
  const envelope = parsed(text);
  if (envelope?.ok === true) return { data: envelope.data };
  const passes = PASSING.has(status);
  const { code, message } = envelope?.error ?? {};
  if (code === undefined || message === undefined) {
    return {
      failure: new NoAnswer(
        operation,
        `${operation}: HTTP ${status}, and not an answer of the service`,
        text.slice(0, 1_000),
      ),
      passes,
    };
  }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  return {
    failure: new Refusal(code, message, status, operation, headers.get('x-request-id'), retryAfter),
    passes,
  };
}

function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}
