import { GrammyError, HttpError } from 'grammy/web';

/**
 * Why a Bot API call failed. With `refused` and `slow_down` the messenger itself says that it did nothing.
 * After `unanswered` (a 5xx, a network error, a timeout, or an answer that is not a Bot API answer) it is
 * unknown whether the call took effect.
 */
export type BotApiFailure =
  | { kind: 'refused'; code: number; detail: string }
  | { kind: 'slow_down'; retryAfterSeconds: number; detail: string }
  | { kind: 'unanswered'; detail: string };

const MAX_DETAIL_LENGTH = 300;

/**
 * Converts a grammY error into a failure that is safe to log and to store. The error itself must not be
 * passed on: an HttpError contains the URL with the bot token, and a GrammyError contains the payload.
 * `secrets` are also removed from the messenger's own description, since a server may repeat the address of
 * the call.
 */
export function describeFailure(error: unknown, secrets: string[]): BotApiFailure {
  const networkError = error instanceof HttpError ? error.error : null;
  // A SyntaxError means that the answer could not be parsed as JSON.
  if (networkError && !(networkError instanceof SyntaxError)) {
    return { kind: 'unanswered', detail: `no answer from the messenger (${networkCode(networkError)})` };
  }
  if (!(error instanceof GrammyError) || typeof error.error_code !== 'number') {
    return { kind: 'unanswered', detail: 'the messenger gave an answer that cannot be understood' };
  }
  const code = error.error_code;
  const detail = `the messenger answered ${code}: ${redact(String(error.description), secrets)}`.slice(
    0,
    MAX_DETAIL_LENGTH,
  );
  if (code === 429) return { kind: 'slow_down', retryAfterSeconds: requestedPause(error), detail };
  return code >= 500 ? { kind: 'unanswered', detail } : { kind: 'refused', code, detail };
}

/** The system's error code, such as ECONNREFUSED. Unlike messages, codes never contain the URL. */
function networkCode(networkError: unknown): string {
  const code = (networkError as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === 'string' ? code : 'connection failed';
}

/**
 * The requested pause in whole seconds, at least 1: a 429 without a usable retry_after must not cause a busy
 * loop.
 */
function requestedPause(error: GrammyError): number {
  const requested: unknown = error.parameters.retry_after;
  return typeof requested === 'number' && requested > 1 ? Math.ceil(requested) : 1;
}

/**
 * Replaces the secrets. Secret parts of tokens and webhook secrets consist of letters, digits, `_` and `-`,
 * which URL encoding does not change.
 */
function redact(text: string, secrets: string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text);
}
