import {
  applyDecorators,
  type CanActivate,
  Delete,
  Get,
  Header,
  HttpCode,
  Post,
  Put,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { EVERY_GROUP, type Group, type Scope, UNGROUPED } from '../../access/rights.js';
import type { Call } from '../store/call.js';
import type { StoreContext } from '../store/store-context.js';
import type { DtoClass } from '../schema/field-spec.js';
import { NoInput } from '../schema/pages/page.dto.js';
import type { Paging } from '../schema/pages/page.js';
import type { CountedChange } from './previews/counted.js';
import type { Question } from '../store/question.js';
import { GUARDED, ScopeGuard } from './scope.guard.js';
import { TokenGuard } from './token.guard.js';

/** An entrance for one kind of caller. */
export interface Door {
  name: 'operations' | 'dashboard' | 'storefront' | 'bot-updates';
  /** The path, below the root, at which the controllers of its endpoints are mounted. */
  prefix: string;
  /**
   * Identifies the caller, or refuses the call (401). It sets `auth.principal` of the call if that is for a
   * store, and `auth.caller` if handlers need to know more about the caller.
   */
  guard: Type<CanActivate>;
  /** Its callers may be narrowed: what concerns a store has `groups`, unless only owners may call it. */
  isNarrowed?: true;
}

/**
 * Something that can be called: its path, input, output and callers. The route, the checks, the audit row and
 * the documents all follow from it. CallInterceptor shows what happens during a call.
 */
export interface Endpoint {
  door: Door;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the door's prefix, with Nest's `:name` for parameters. */
  path: string;
  /** One line for people. */
  summary: string;
  description?: string;
  /**
   * The path parameters together with the query of a GET, or with the body of any other method. `storeId` is
   * left out, because the guard has read it. In a query, digits count as a number where the class has one.
   */
  input: DtoClass;
  /** The class of the answer. Only its fields are returned. */
  output: DtoClass;
  /** The data is a page of `output`. */
  list?: Paging;
  /** Callers that the door cannot identify are admitted as well; `public` does not even look. */
  access?: 'public' | 'optional';
  /** The lowest scope that a caller needs (403). */
  scope: Scope;
  /**
   * The groups of operations that it belongs to: a narrowed caller needs one of them (403). The registry adds
   * that of an operation. Without one, only callers with every group are admitted.
   */
  groups?: readonly string[];
  /** The budget that a call counts against. */
  budget: 'read' | 'write';
  /** Answered also when the budget is spent: who wants to leave can. Only outside a store. */
  isAlwaysAnswered?: true;
  /** The name in audit rows. Every endpoint that changes a store has one. */
  audited?: string;
  /** Supports `If-Match`: the handler passes the record it locked to `ctx.checkUnchanged`. */
  ifMatch?: boolean;
  /** Refuses, with 412 and without `If-Match`, what has changed since. */
  mayBeOutdated?: true;
  /**
   * Supports `Idempotency-Key`. `kept`: a repeat gets the first answer again. `once`: a repeat is refused,
   * because the answer has a secret, which must not be kept. `own`: the group decides what a repeat is
   * answered. `stepwise`: as `kept`, and the handler does every change in a `part`, so that a repeat does the
   * rest of a call that was interrupted.
   */
  idempotencyKey?: 'kept' | 'once' | 'own' | 'stepwise';
  /**
   * The name of a method of the controller that asks something outside the service: the messenger, a name
   * server, another host, or for a password's check. It runs once the input is valid, before the call has a
   * transaction, so that no connection of the database waits meanwhile. It gets what the handler gets, and
   * the handler gets its answer as the last argument; if that has an `end`, it runs when the call is over.
   * It does not run for a repeat of a key. Of two calls with one key at once both may run it; its own last
   * argument tells whether the other one is done by now, so that the handler will not run.
   */
  before?: string;
  /**
   * Reads the body of a message that another service defines. It must be an object; nothing else is checked.
   */
  foreignBody?: (text: string) => unknown;
  /** The body is a file of one of these types, which the handler reads with `call.bytes`. */
  file?: { types: readonly string[]; maxBytes: number };
  /**
   * Answers with a stream of this type instead of the envelope. The handler returns a `Finished`; `output`
   * describes its content.
   */
  stream?: 'text/event-stream' | 'text/csv; charset=utf-8';
  /** Runs other operations, whose audit rows are written instead of its own. */
  relays?: true;
  /** Answers the data without the envelope, for a caller to whom `ok` has another meaning. */
  bare?: true;
}

/**
 * The method of an endpoint, called with `(ctx, input, caller)`, and what its `before` answered. Outside a
 * store there is no context: `(input, caller)`.
 */
export type Handler = (...args: unknown[]) => unknown;

/** The request as the checks see it. One from MCP has only a call. */
export interface CallRequest extends Partial<Pick<Request, 'params' | 'query'>> {
  call: Call;
  /**
   * Runs in the store before the handler, once the input is valid: it turns a new shopper into a customer, or
   * asks an agent's person, who may give the call a key.
   * @param isRepeat the call is answered with the result of an earlier one
   */
  admit?: (ctx: StoreContext, isRepeat: boolean) => Promise<void>;
}

const endpoints = new WeakMap<object, Endpoint>();
const direct = new WeakSet<object>();

/** A method that takes the request and the response, and writes the answer. */
export type AnsweringItself = (...args: unknown[]) => Promise<void>;

/** Declares one. CallInterceptor calls it directly, as it does endpoints. */
export const AnswersItself = (): MethodDecorator => (_target, _key, descriptor) =>
  void direct.add(descriptor.value as object);

export const answersItself = (method: object): boolean => direct.has(method);

/** For methods that return finished JSON text, which Express would send as HTML. */
export const JSON_TEXT = Header('Content-Type', 'application/json; charset=utf-8');
const VERBS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

function declare(endpoint: Endpoint): MethodDecorator {
  return (target, key, descriptor) => {
    endpoints.set(descriptor.value as object, endpoint);
    GUARDED.set(descriptor.value as object, { endpoint, name: nameOf(endpoint) });
    const { method, path, door } = endpoint;
    applyDecorators(
      VERBS[method](path),
      HttpCode(200),
      JSON_TEXT,
      UseGuards(door.guard, ScopeGuard),
    )(target, key, descriptor);
  };
}

/** The endpoint that a method declares. */
export function endpointOf(handler: object): Endpoint | undefined {
  return endpoints.get(handler);
}

/** The endpoints of a controller, in the order of their declaration. */
export function endpointsOf({ prototype }: { prototype: object }): Endpoint[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) =>
    typeof value === 'function' ? (endpointOf(value as object) ?? []) : [],
  );
}

/** The path from the root, with Nest's `:name` for parameters. */
export const pathOf = ({ door, path }: Endpoint) => `/${door.prefix}/${path}`;

/** The name in logs and spans: an operation's own name, or the method and path of any other endpoint. */
export const nameOf = (endpoint: Endpoint) =>
  endpoint.door.name === 'operations' ? endpoint.path : `${endpoint.method} ${pathOf(endpoint)}`;

/** What a declaration has of an endpoint's. */
type Stated =
  | 'summary'
  | 'description'
  | 'output'
  | 'list'
  | 'ifMatch'
  | 'mayBeOutdated'
  | 'idempotencyKey'
  | 'before'
  | 'relays';

/**
 * The declaration of an operation. The endpoint, the MCP tool and the contract tests all follow from it. So
 * do budget and audit: an operation of scope read counts as a read and is not audited; any other counts as a
 * write, is audited and supports Idempotency-Key. `description` tells a model in at most 200 characters what
 * the operation does, when to use it and what it returns; the default is the summary.
 */
export interface OperationSpec extends Pick<Endpoint, Stated | 'scope' | 'input'> {
  /** The path under /v1/ and the MCP tool's name. */
  name: string;
  /**
   * Removes or irrecoverably changes something. Its input has `confirm`, unless `confirm: false` states that
   * the spec requires none.
   */
  destructive?: boolean;
  confirm?: false;
  /** Only adds: nothing is overwritten or removed. */
  additive?: true;
  /** A second call with the same input changes nothing further. Default: true for reads. */
  idempotent?: boolean;
  /** Not one of the specification's operations (docs/behaviour.md §13). */
  beyond?: true;
  /**
   * How preview_change tries it, if not by running it and taking all back: `own`, it answers a rehearsal
   * itself, because it does its work in steps; `none`, it cannot be tried.
   */
  preview?: 'own' | 'none';
  /**
   * What a call would do to more records than are tried in a preview, from its input and counts alone,
   * without locks; null for fewer.
   */
  counts?: (ctx: StoreContext, input: never) => Promise<CountedChange | null>;
  /** Reaches something outside the service (the messenger). */
  openWorld?: boolean;
  /**
   * What a person is asked before it runs, if their agent can ask (docs/behaviour.md §8). `as previewed`:
   * what they are asked before the operation that was previewed. `as undone`: before those that undo the
   * change.
   */
  asks?: Question | 'as previewed' | 'as undone';
}

/** An operation as an endpoint. */
export type OperationEndpoint = Endpoint & OperationSpec;

export const OPERATIONS: Door = { name: 'operations', prefix: 'v1', guard: TokenGuard };

/** The names of the operations whose controllers have been loaded, for a command, which has no registry. */
export const DECLARED = new Set<string>();

/**
 * The declaration of an operation of another door, such as what a page asks for. An audited one counts as a
 * write and supports Idempotency-Key.
 */
export interface RouteSpec
  extends
    Pick<Endpoint, Stated | 'door' | 'method' | 'path' | 'access' | 'audited' | 'isAlwaysAnswered'>,
    Pick<Endpoint, 'stream' | 'file' | 'foreignBody' | 'bare'> {
  /** The default is no input. */
  input?: DtoClass;
  /** The default is write if it is audited, otherwise read. */
  scope?: Scope;
  budget?: Endpoint['budget'];
  /**
   * The groups of operations of which a narrowed caller needs one; 'every' shows and does only what the
   * caller's groups allow; 'whole', the default, is only for callers with every group.
   */
  groups?: Group | readonly Group[] | 'every' | 'whole';
}

/**
 * Declares an operation on a method of a controller at its door's path: `(ctx: StoreContext, input, caller)`,
 * or outside a store `(input, caller)`.
 * @throws Error, at the start, for one with `before` that can be previewed: a preview runs it inside another
 * call, whose transaction is open; for one of a store that does not say its groups, where callers have them
 */
export function Operation(spec: OperationSpec | RouteSpec): MethodDecorator {
  return declare('name' in spec ? operationOf(spec) : routeOf(spec));
}

function operationOf(spec: OperationSpec): OperationEndpoint {
  if (spec.before !== undefined && spec.preview !== 'none')
    throw new Error(`operation ${spec.name} has a step before it, so its preview must be 'none'`);
  DECLARED.add(spec.name);
  const isRead = spec.scope === 'read';
  return {
    idempotencyKey: isRead ? undefined : 'kept',
    ...spec,
    door: OPERATIONS,
    method: 'POST',
    path: spec.name,
    budget: isRead ? 'read' : 'write',
    audited: isRead ? undefined : spec.name,
  };
}

function routeOf({ groups, ...spec }: RouteSpec): Endpoint {
  const { door, audited } = spec;
  if (door.isNarrowed && !groups && spec.scope !== 'admin' && spec.path.includes(':storeId'))
    throw new Error(`${spec.method} ${spec.path} says nothing of groups`);
  const budget = audited ? 'write' : 'read';
  const idempotencyKey = audited ? 'kept' : undefined;
  return { input: NoInput, scope: budget, budget, idempotencyKey, ...spec, groups: namesOf(groups) };
}

function namesOf(groups: RouteSpec['groups']): readonly string[] {
  if (groups === undefined || groups === 'whole') return UNGROUPED;
  return groups === 'every' ? [EVERY_GROUP] : [groups].flat();
}

export const isOperation = (endpoint: Endpoint): endpoint is OperationEndpoint =>
  endpoint.door === OPERATIONS;
