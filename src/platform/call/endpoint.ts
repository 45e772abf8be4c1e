import {
  applyDecorators,
  type CanActivate,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Post,
  Put,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '../store/principal.js';
import type { Call } from '../store/call.js';
import type { DtoClass } from '../schema/fields.js';

/** Where callers of one kind come in. */
export interface Door {
  name: 'operations' | 'dashboard' | 'storefront' | 'bot-updates';
  /** Below the root; what the controllers of its endpoints are mounted at. */
  prefix: string;
  /**
   * Finds out who calls, and refuses whom it cannot name (401). It sets `call.principal` when the caller comes to a store, and
   * `call.caller` where handlers want to know more of them.
   */
  guard: Type<CanActivate>;
}

/**
 * One thing that can be asked for: path, input, output, who. The route, the checks, the audit row and the documents all come from
 * here; CallInterceptor says what happens to a call of it.
 */
export interface Endpoint {
  door: Door;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the door's prefix, with Nest's `:name` for parameters. */
  path: string;
  /** One line for people. */
  summary: string;
  description?: string;
  /**
   * Path parameters, and the query of a GET or the body of anything else, in one class; `storeId` apart, which the guard has read.
   * Digits of a query are read as numbers where it wants one.
   */
  input: DtoClass;
  /** What leaves: only its fields do. */
  output: DtoClass;
  /** The data is a page of `output`. */
  list?: boolean;
  /** Whom the door lets in. Default: everybody it can name, and under a store its members. `optional`: also who is nobody. */
  access?: 'public' | 'optional' | 'owner';
  /** The least scope a caller needs (403). */
  scope: Scope;
  /** What a call is counted as. */
  budget: 'read' | 'write';
  /** The name under which it is audited; whatever changes a store has one. */
  audited?: string;
  /** Honours `If-Match`: the handler checks the record it locked with `ctx.checkUnchanged`. */
  ifMatch?: boolean;
  /** Honours `Idempotency-Key`. `own`: the group itself says what a repeat is answered; `kept`: the first answer is. */
  idempotencyKey?: 'kept' | 'own';
  /** Of another service's message, whose shape is not ours to judge: reads the body. It is an object, and nothing else is checked. */
  foreignBody?: (text: string) => unknown;
  /** Takes a file as its body, of one of these types, and nothing else: the handler reads it with `call.bytes`. */
  file?: { types: readonly string[]; maxBytes: number };
  /** Answers a stream of this type instead of the envelope: the handler returns a `Streamed`, and `output` says what is in it. */
  stream?: 'text/event-stream' | 'text/csv; charset=utf-8';
  /** Answers the data without the envelope, to a caller who would take `ok` for something of its own. */
  bare?: true;
}

/** What an endpoint's method is called with: `(ctx, input, caller)` under a store, `(caller, input)` outside one. */
export type Handler = (...args: unknown[]) => unknown;

/** The request as the checks see it; MCP's has a call alone. */
export type CallRequest = { call: Call } & Partial<Pick<Request, 'params' | 'query'>>;

const endpoints = new WeakMap<object, Endpoint>();
const VERBS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

/** Declares a controller's method as an endpoint. Each door has a decorator of its own that fills in what is the same there. */
export function declareEndpoint(endpoint: Endpoint): MethodDecorator {
  return (target, key, descriptor) => {
    endpoints.set(descriptor.value as object, endpoint);
    const { method, path, door } = endpoint;
    applyDecorators(VERBS[method](path), HttpCode(200), UseGuards(door.guard))(target, key, descriptor);
  };
}

/** The endpoint that a method was declared as. */
export function endpointOf(handler: object): Endpoint | undefined {
  return endpoints.get(handler);
}

/** The endpoints that a controller declares, in the order it declares them. */
export function endpointsOf({ prototype }: { prototype: object }): Endpoint[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) =>
    typeof value === 'function' ? (endpointOf(value as object) ?? []) : [],
  );
}

/** From the root, with Nest's `:name` for parameters. */
export const pathOf = ({ door, path }: Endpoint) => `/${door.prefix}/${path}`;

/** What logs and spans call it: an operation by its name, anything else by method and path. */
export const nameOf = (endpoint: Endpoint) =>
  endpoint.door.name === 'operations' ? endpoint.path : `${endpoint.method} ${pathOf(endpoint)}`;

/** The call that a guard or interceptor works for; every door puts it on its request. */
export function callOf(context: ExecutionContext): Call {
  return context.switchToHttp().getRequest<CallRequest>().call;
}
