import { words } from '../../words/all';
import { type Sentence, translate } from './sentences';

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
