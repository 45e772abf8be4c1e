import { words } from '../words';
import { Refusal } from './refusal';
import { fieldLabel, RULES, type Sentence, SENTENCES, WARNINGS } from './refusal-words';

/** What the first sentence that fits says; undefined if none does. */
function translate(sentences: Sentence[], text: string): string | undefined {
  for (const [pattern, say] of sentences) {
    const match = pattern.exec(text);
    if (match) return say(match);
  }
  return undefined;
}

/** The text of a refusal for a shop owner. Where we have no words, the service's own text is kept. */
export function inWords(error: Error): string {
  const { refusals } = words;
  if (!(error instanceof Refusal)) return error.message;
  if (error.code === 'unreachable') return refusals.unreachable;
  if (error.code === 'internal_error') return refusals.internal_error;
  if (error.message.startsWith('Idempotency-Key was used before')) return refusals.madeBefore;
  if (error.code === 'rate_limited') return refusals.rate_limited(error.retryAfter ?? 60);
  return problemsInWords(error.message) ?? OF_CODES()[error.code] ?? error.message;
}

const OF_CODES = (): Record<string, string> => ({
  precondition_failed: words.conflict.title,
  not_found: words.said.notFound,
  forbidden: words.refusals.forbidden,
});

/**
 * Several problems stand one after another. A part that we have no words for is mostly the second half of one
 * that we have.
 */
function problemsInWords(message: string): string | undefined {
  const said = message.split('; ').flatMap((text) => problemInWords(text) ?? []);
  return said.length > 0 ? said.join(' ') : translate(SENTENCES, message);
}

/** A problem of a field that stands nowhere near it is told with the field's name. */
function problemInWords(text: string): string | undefined {
  const [, field, problem] = /^[\w.[\]]*?(\w+)(?:\[\d+\])* (.+)$/s.exec(text) ?? [];
  const rule = problem && translate(RULES, problem);
  return translate(SENTENCES, text) ?? (rule && `${fieldLabel(field)}: ${rule}`);
}

/** The error of one field, in an owner's words if the service's text matches a known rule. */
export const fieldInWords = (text: string): string =>
  translate(SENTENCES, text) ?? translate(RULES, text) ?? text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Why an item of many was refused. The service names the item by its place in the call, which says nothing
 * here: `items[3].price must be a number greater than 0`.
 */
export const itemInWords = ({ message }: { message: string }): string =>
  fieldInWords(message.replace(/^items\[\d+\](\.\w+)*:? /, ''));

/** What the service warns of, for a shop owner. Where we have no better words, its own are kept. */
export const warningInWords = (text: string): string => translate(WARNINGS, text) ?? text;

/** Why a delivery failed, in the reader's language. Where we have no words, the service's text is kept. */
export function failureInWords(text: string): string {
  const { failures } = words.webhooks;
  const sentences: Sentence[] = [
    [/^redirect \((\d+)\)/, ([, status]) => failures.redirect(status)],
    [/^answered with status (\d+)/, ([, status]) => failures.status(status)],
    [/^connection refused/, () => failures.refused],
    [/^connection closed/, () => failures.closed],
    [/^host unreachable/, () => failures.unreachable],
    [/^(?:connection )?timed out/, () => failures.timedOut],
    [/^response headers are too large/, () => failures.headers],
    [
      /^TLS error: the certificate.*(for another host name|has expired|not valid yet|self-signed)$/,
      ([, why]) => failures.certificate(failures.certificates[why]),
    ],
    [
      /^TLS error: the certificate.*(unknown authority|chain is incomplete)$/,
      ([, why]) => failures.certificate(failures.certificates[why]),
    ],
    [/^TLS error: handshake failed \((.+)\)/, ([, code]) => failures.handshake(code)],
    [/^destination address is not allowed/, () => failures.private],
    [/^could not resolve host/, () => failures.unknownHost],
    [/^the delivery could not be attempted/, () => failures.notTried],
    [/^answer has several Content-Length/, () => failures.lengths],
    [/^answer is not valid HTTP/, () => failures.notHttp],
    [/^request failed \((.+)\)/, ([, code]) => failures.other(code)],
  ];
  return translate(sentences, text) ?? text;
}
