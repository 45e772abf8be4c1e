import { errors } from 'undici';
import { HostNotResolved, TargetRefused } from '../../../platform/http/address-guard.js';

/** An attempt took longer than it may. */
export class DeadlinePassed extends Error {}

const FAILURE_TEXTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed before an answer',
  EPIPE: 'connection closed before an answer',
  UND_ERR_SOCKET: 'connection closed before a valid answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  EADDRNOTAVAIL: 'host unreachable',
  ETIMEDOUT: 'connection timed out',
  // With its status line it would have been an answer: several lengths are refused before that.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answer has several Content-Length headers',
  UND_ERR_HEADERS_OVERFLOW: 'response headers are too large',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS error: the certificate is for another host name',
  CERT_HAS_EXPIRED: 'TLS error: the certificate has expired',
  CERT_NOT_YET_VALID: 'TLS error: the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS error: the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS error: the certificate chain ends in an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS error: the certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS error: the certificate chain is incomplete',
};

/** Uses only our own texts, because those of Node and OpenSSL contain the resolved addresses. */
export function failureText(error: unknown, timeoutMs: number): string {
  if (error instanceof TargetRefused) return 'destination address is not allowed';
  if (error instanceof HostNotResolved) return 'could not resolve host';
  const code = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  if (error instanceof DeadlinePassed || code === 'UND_ERR_CONNECT_TIMEOUT')
    return `timed out after ${timeoutMs / 1000} s`;
  if (FAILURE_TEXTS[code]) return FAILURE_TEXTS[code];
  if (/^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)/.test(code)) return `TLS error: handshake failed (${code})`;
  if (error instanceof errors.HTTPParserError) return 'answer is not valid HTTP';
  return `request failed (${code})`;
}
