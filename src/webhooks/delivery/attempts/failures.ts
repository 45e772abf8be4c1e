/**
 * Why an attempt at a delivery failed, each as it is kept and as partners read it. # is the value that some
 * have. The pages word each in their own languages.
 */
export const FAILURES = {
  redirect: 'redirect (#) is not followed',
  status: 'answered with status #',
  refused: 'connection refused',
  closed: 'connection closed before an answer',
  cut: 'connection closed before a valid answer',
  unreachable: 'host unreachable',
  connecting: 'connection timed out',
  late: 'timed out after # s',
  several_lengths: 'answer has several Content-Length headers',
  headers_most: 'response headers are too large',
  other_host: 'TLS error: the certificate is for another host name',
  expired: 'TLS error: the certificate has expired',
  not_yet: 'TLS error: the certificate is not valid yet',
  self_signed: 'TLS error: the certificate is self-signed',
  unknown_root: 'TLS error: the certificate chain ends in an unknown authority',
  unknown_authority: 'TLS error: the certificate comes from an unknown authority',
  incomplete_chain: 'TLS error: the certificate chain is incomplete',
  handshake: 'TLS error: handshake failed (#)',
  not_allowed: 'destination address is not allowed',
  no_host: 'could not resolve host',
  not_http: 'answer is not valid HTTP',
  not_tried: 'the delivery could not be attempted',
  other: 'request failed (#)',
};

export type Failure = keyof typeof FAILURES;

export const inEnglish = (failure: Failure, value: string | number = '') =>
  FAILURES[failure].replace('#', String(value));

/** The failure that a kept text tells of, and its value; undefined for any other text. */
export function failureOf(text: string): { failure: Failure; value: string } | undefined {
  for (const [failure, sentence] of Object.entries(FAILURES)) {
    const [start, end = ''] = sentence.split('#');
    const value = text.slice(start.length, text.length - end.length);
    if (inEnglish(failure as Failure, value) === text) return { failure: failure as Failure, value };
  }
  return undefined;
}
