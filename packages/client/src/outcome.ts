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
export function outcomeOf(operation: string, response: Response, text: string): Outcome {
  const { status, headers } = response;
  const envelope = parsed(text);
  if (envelope?.ok === true) return { data: envelope.data };
  const passes = PASSING.has(status);
  const { code, message } = envelope?.error ?? {};
  if (code === undefined || message === undefined) {
    const why = isRedirect(response)
      ? 'a redirect, which is not followed: baseUrl must be the address of the service itself'
      : `HTTP ${status}, and not an answer of the service`;
    return { failure: new NoAnswer(operation, `${operation}: ${why}`, text.slice(0, 1_000)), passes };
  }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  return {
    failure: new Refusal(code, message, status, operation, headers.get('x-request-id'), retryAfter),
    passes,
  };
}

/** A browser hides the status of a redirect that is not followed. */
const isRedirect = ({ status, type }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}
