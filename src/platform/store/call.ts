import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from './principal.js';
import type { StoreContext } from './store-context.js';

export type Transport = 'http' | 'mcp' | 'dashboard';

/** One call on its way through guards, validation and handler, the same for every transport. */
export interface Call {
  transport: Transport;
  requestId: string;
  headers: IncomingHttpHeaders;
  /** The caller's address, for the limit on refused tokens. */
  address: string;
  /** Answer headers: budgets, Retry-After. */
  setHeader(name: string, value: string | string[]): void;
  /**
   * The input, as `parse` makes it of the text; default is `parseInput` for what has few values.
   * @throws OperationError invalid_input when it is not JSON
   */
  body(parse?: (text: string) => unknown): unknown;
  /** The body as it is, of an endpoint that takes a file. @throws OperationError invalid_input for more than `max` bytes */
  bytes?(max: number): Promise<Buffer>;
  /** Who calls, under a store: set by the door's guard, or beforehand by a transport that has authenticated its user itself. */
  principal?: Principal;
  /** What else the door's guard knows of who calls; its handlers' last argument. */
  caller?: unknown;
  /** What is done in the store before the handler, once the input is valid: a newcomer becomes a customer. */
  admit?: (ctx: StoreContext) => Promise<void>;
  /** How many bytes a page of a list may take, where that is less than PAGE_BYTES. */
  pageBytes?: number;
  /** What is called, once it is known: an operation's name, or method and path of another endpoint. */
  operation?: string;
  /** Of the trace it is part of, while spans are sent to a collector. */
  traceId?: string;
  /** Set once it is validated. */
  input?: object;
  /** Reports progress of long operations; set by transports that can pass it on to the caller. */
  progress?: (done: number, total: number) => void;
  /** By `performance.now`: when an answer began that is sent bit by bit. */
  streamsSince?: number;
  /** What is aborted when the caller gives up; made when it is asked for, since hardly any call lasts long enough. */
  signal?: () => AbortSignal;
}

/** What stands in every log line about a call. */
export const toLog = ({ requestId, operation, traceId }: Pick<Call, 'requestId' | 'operation' | 'traceId'>) => ({
  requestId,
  operation,
  traceId,
});
