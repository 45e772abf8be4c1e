import type { IncomingHttpHeaders } from 'node:http';
import type { Rights, Scope } from '../../access/rights.js';
import { forbidden, JUST_MOVED, MOVED_TO, type OperationError, Unavailable } from '../errors.js';

/** Somebody who changed something, as the audit shows them. */
export interface Actor {
  kind: 'token' | 'user' | 'shopper' | 'system' | 'client';
  id: string | null;
  name: string;
}

/** What a person lets an app give out in a day of the store's time zone; null is no limit. */
export interface DailyLimits {
  messages: number | null;
  /** In major units. */
  bonus: number | null;
  /** In minor units. */
  refunds: number | null;
}

/** The caller, bound to one store. */
export interface Principal extends Rights {
  storeId: string;
  /** The store's currency code; it never changes. */
  currency: string;
  actor: Actor;
  /** Calls with the same key share the budgets of docs/behaviour.md §2.3. */
  budgetKey: string;
  /** With the resource of the app's token, and the query of the address that the app calls it by. */
  consent?: Rights['consent'] & {
    address: string;
    resource: Resource;
    query?: string;
    limits?: DailyLimits | null;
    /** The person who let the app in. */
    userId?: string;
    /** Whether a person has to approve what matters before the app does it. */
    asksFirst?: boolean;
  };
  /** Why this caller may not call anything, although it has been identified. */
  refusal?: OperationError;
}

/** A balancer has heard of the move by then. */
const JUST_MS = 10_000;

/** What `suspension` has to know of a store. */
export const SUSPENSION = ['suspendedAt', 'suspendedReason', 'movedTo'] as const;

export interface Suspended {
  suspendedAt: Date | null;
  /** Null if it is not suspended. */
  suspendedReason: string | null;
  movedTo: string | null;
}

/**
 * Whether it was moved away; an operator may give a reason that begins with the same words. In statements:
 * WAS_MOVED_AWAY.
 */
export const wasMovedAway = ({ suspendedReason, movedTo }: Omit<Suspended, 'suspendedAt'>) =>
  movedTo !== null && suspendedReason === MOVED_TO + movedTo;

/**
 * @returns what bars the store's callers: 403, and for a moment after a move 503, since the next call is for
 * the installation where the store is now. The target's address is not revealed to callers.
 */
export function suspension(store: Suspended): OperationError | undefined {
  const { suspendedAt, suspendedReason: reason } = store;
  if (reason === null) return undefined;
  const isGone = wasMovedAway(store);
  if (isGone && Date.now() - suspendedAt!.getTime() < JUST_MS) return new Unavailable(JUST_MOVED, null);
  const why = isGone ? `${MOVED_TO}another installation` : reason;
  return forbidden(`This store is suspended: ${why}`).about('suspended', { reason: why });
}

/**
 * The paths below BASE_URL that an app's token can be for. Each token is for one of them (docs/behaviour.md
 * §15).
 */
export const RESOURCES = ['/mcp', '/v1'] as const;
export type Resource = (typeof RESOURCES)[number];

export type Transport = 'http' | 'mcp' | 'dashboard';

/** The `Idempotency-Key` of a call, with the caller and the request it belongs to. */
export interface UsedKey {
  /** Part of the key's identity: two tokens of a store may use the same key. */
  actor: string;
  key: string;
  operation: string;
  inputHash: string;
}

/** Who calls. A door's guard sets it, or earlier a transport that has authenticated its user itself. */
export interface CallAuth {
  /** The caller of a store. */
  principal?: Principal;
  /** What else the guard knows about the caller. It is the last argument of the door's handlers. */
  caller?: unknown;
  /** Whether nobody knows who calls, although the door has given its handlers a caller. */
  isUnknown?: true;
  /** Finds the caller of a store anew, or refuses it, as the guard did. For endpoints that may wait. */
  identity?: { find(): Principal | Promise<Principal> };
  /**
   * Checks the caller as at the start of the call. For a handler that has waited, before it reads what it
   * answers.
   */
  recharge?: () => Promise<void>;
  /** Whether the address that was called leaves an operation to its callers; absent if it leaves all. */
  isAvailable?: (operation: { name: string; scope: Scope }) => boolean;
}

/**
 * Under which key a call is done. `once`: its caller sent none, and the call is done once under that of a
 * preview or of a person's answer, which has a line break, as no key of a caller has. `stepwise`: its parts
 * are committed one by one, and each of them is done once under the key.
 */
export type CallKey = { mode: 'once'; value: string } | { mode: 'stepwise'; value: UsedKey };

/** One call on its way through guards, validation and handler. It is the same for every transport. */
export interface Call {
  transport: Transport;
  requestId: string;
  headers: IncomingHttpHeaders;
  /** The caller's address, for the limit on refused tokens. */
  address: string;
  /**
   * Sets a response header, such as those of the budget or Retry-After; nothing once a stream has sent them.
   */
  setHeader(name: string, value: string | string[]): void;
  /**
   * Reads the body, and gives what `parse` makes of its text. The default is `parseInput` without a class,
   * for bodies with few values.
   * @param max the most bytes, 1 MiB by default
   * @throws OperationError invalid_input when it is not JSON
   */
  body(parse?: (text: string) => unknown, max?: number): Promise<unknown>;
  /**
   * The unparsed body, for an endpoint that takes a file. @throws OperationError invalid_input for more than
   * `max` bytes
   */
  bytes?(max: number): Promise<Buffer>;
  auth: CallAuth;
  key?: CallKey;
  /** Who the answer is for. */
  answer?: {
    /** Pages word by themselves why items were refused, and what is warned of. */
    isForPages?: true;
    /** The maximum size of a page of a list in bytes, if it is smaller than PAGE_BYTES. */
    pageBytes?: number;
  };
  timing: {
    /** When the call was counted in its budget, by the clock of the budgets' storage. */
    countedAt?: number;
    /** When a streamed answer began, as a reading of `performance.now`. */
    streamsSince?: number;
    /** How many milliseconds the call has waited because its caller asked for it; that is no duration. */
    waitedMs?: number;
  };
  /**
   * The name of the endpoint, once it is known: an operation's name, or the method and path of another
   * endpoint.
   */
  operation?: string;
  /** The id of the trace that the call is part of, if spans are sent to a collector. */
  traceId?: string;
  /** Whether the call is answered with the result of an earlier one. */
  isReplayed?: true;
  /** The validated input. */
  input?: object;
  /** What a person is to approve: a preview waits for that, and says so. */
  approval?: {
    question: string;
    /** The same call waits for the person already. */
    isAsked?: true;
  };
  /** Reports the progress of a long operation. Set by transports that can pass it on to the caller. */
  progress?: (done: number, total: number) => void;
  /**
   * Returns a signal that is aborted when the caller gives up. It is created on request, because hardly any
   * call needs one.
   */
  signal?: () => AbortSignal;
}

/** The fields of every log line about a call. */
export const toLog = ({
  requestId,
  operation,
  traceId,
}: Pick<Call, 'requestId' | 'operation' | 'traceId'>) => ({
  requestId,
  operation,
  traceId,
});
