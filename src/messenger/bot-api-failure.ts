import { GrammyError, HttpError } from 'grammy';

/**
 * Why one Bot API call failed. `refused` and `slow_down` are the messenger's own words: nothing was done. After
 * `unanswered` (5xx, network, time-out, an answer that is no Bot API answer) nobody knows whether the call took effect.
 */
export type BotApiFailure =
  | { kind: 'refused'; code: number; detail: string }
  | { kind: 'slow_down'; retryAfterSeconds: number; detail: string }
  | { kind: 'unanswered'; detail: string };

const MAX_DETAIL_LENGTH = 300;

/**
 * Reads a grammY error into a failure that is safe to log and to store. The error itself must not travel on: an
 * HttpError holds the URL with the bot token in it, a GrammyError the payload. `secrets` are blotted out of the
 * messenger's own description too, since a server may echo the address it was called at.
 */
export function describeFailure(error: unknown, secrets: string[]): BotApiFailure {
  const networkError = error instanceof HttpError ? error.error : null;
  // A SyntaxError is what parsing an answer that is not JSON ends in.
  if (networkError && !(networkError instanceof SyntaxError)) {
    return { kind: 'unanswered', detail: `no answer from the messenger (${networkCode(networkError)})` };
  }
  if (!(error instanceof GrammyError) || typeof error.error_code !== 'number') {
    return { kind: 'unanswered', detail: 'the messenger gave an answer that cannot be understood' };
  }
  const code = error.error_code;
  const detail = `the messenger answered ${code}: ${blot(String(error.description), secrets)}`.slice(0, MAX_DETAIL_LENGTH);
  if (code === 429) return { kind: 'slow_down', retryAfterSeconds: pauseAsked(error), detail };
  return code >= 500 ? { kind: 'unanswered', detail } : { kind: 'refused', code, detail };
}

/** The machine's word for it, as ECONNREFUSED: messages may have the URL in them, codes have not. */
function networkCode(networkError: unknown): string {
  const code = (networkError as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === 'string' ? code : 'connection failed';
}

/** Whole seconds, at least 1: a 429 without a usable retry_after must not become a busy loop. */
function pauseAsked(error: GrammyError): number {
  const asked: unknown = error.parameters.retry_after;
  return typeof asked === 'number' && asked > 1 ? Math.ceil(asked) : 1;
}

/** Tokens and webhook proofs are letters, digits, `_` and `-`, which URL encoding leaves as they are. */
function blot(text: string, secrets: string[]): string {
  return secrets.filter((secret) => secret !== '').reduce((kept, secret) => kept.replaceAll(secret, '…'), text);
}
