import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, type ResolutionRules, TargetRefused, vettedAddresses } from './address-guard.js';

/**
 * How many addresses of a name are tried, and how long each but the last may take. A distant endpoint needs
 * more than Node's 250 ms.
 */
const MAX_ADDRESSES = 4;
const ADDRESS_ATTEMPT_MS = 1000;

/** `timeoutMs` limits the time for connecting. */
export interface ConnectorOptions extends ResolutionRules {
  timeoutMs: number;
}

/**
 * A connector that uses exactly the addresses it has checked, so that nothing can change between check and
 * use, and that checks the peer again before the first byte of a request. `lookup` is not called for hosts
 * that are addresses; `checkTargetUrl` has checked those.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    vettedAddresses(hostname, options).then(
      (addresses) => {
        if (all) callback(null, addresses.slice(0, MAX_ADDRESSES));
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => callback(error, []),
    );
  };
  const connect = buildConnector({
    lookup,
    timeout: options.timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  });
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      if (options.allowPrivate || isPublicPeer(socket)) return callback(null, withoutContinue(socket));
      socket.destroy();
      callback(new TargetRefused({ text: 'the connection led to an address that is not public' }), null);
    });
}

const CONTINUE = /^(?:HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/;

/**
 * Skips interim answers with status 100, as every client must (RFC 9110 §15.2). undici would end the
 * connection.
 */
function withoutContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as () => Buffer | null;
  socket.read = () => {
    for (let chunk = read(); chunk !== null; chunk = read()) {
      const interim = chunk.subarray(0, 12).toString('latin1').endsWith(' 100')
        ? CONTINUE.exec(chunk.toString('latin1'))
        : null;
      const rest = chunk.subarray(interim?.[0].length ?? 0);
      if (rest.length > 0) return rest;
    }
    return null;
  };
  return socket;
}

function isPublicPeer(socket: Socket): boolean {
  return isPublicAddress(socket.remoteAddress ?? '');
}
