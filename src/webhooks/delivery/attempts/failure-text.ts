import { errors } from 'undici';
import { HostNotResolved, TargetRefused } from '../../../platform/http/address-guard.js';
import { type Failure, inEnglish } from './failures.js';

/** An attempt took longer than it may. */
export class DeadlinePassed extends Error {}

const FAILURE_OF: Record<string, Failure> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'cut',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'connecting',
  // With its status line it would have been an answer: several lengths are refused before that.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'several_lengths',
  UND_ERR_HEADERS_OVERFLOW: 'headers_most',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_host',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_root',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete_chain',
};

/** Uses only our own texts, because those of Node and OpenSSL contain the resolved addresses. */
export function failureText(error: unknown, timeoutMs: number): string {
  if (error instanceof TargetRefused) return inEnglish('not_allowed');
  if (error instanceof HostNotResolved) return inEnglish('no_host');
  const code = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  if (error instanceof DeadlinePassed || code === 'UND_ERR_CONNECT_TIMEOUT')
    return inEnglish('late', timeoutMs / 1000);
  if (FAILURE_OF[code]) return inEnglish(FAILURE_OF[code]);
  if (/^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)/.test(code)) return inEnglish('handshake', code);
  if (error instanceof errors.HTTPParserError) return inEnglish('not_http');
  return inEnglish('other', code);
}
