import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { from, type Observable } from 'rxjs';
import { asCall } from '../held.js';
import { BudgetGuard } from '../rate-limit/budget.guard.js';
import { AfterCommit, envelope, Finished, type Stream } from '../schema/present.js';
import { validateInput } from '../schema/validate.js';
import { withoutSecrets, writeAudit } from '../store/audit.js';
import type { Call, CallKey, UsedKey } from '../store/call.js';
import { type AuditDraft, type StoreContext, StoreDatabase } from '../store/store-context.js';
import { expectedVersion } from '../store/version.js';
import { longTurn } from '../timers.js';
import { tracer } from '../observability/tracing.js';
import { boundTo, Outside } from './before.js';
import {
  type AnsweringItself,
  answersItself,
  type CallRequest,
  type Endpoint,
  endpointOf,
  type Handler,
  isOperation,
  nameOf,
} from './endpoint.js';
import { answerAgain, answerOfAnother, ANSWERS, firstUse, keepAnswer, usedKey } from './idempotency.js';
import { inputOf, isLong } from './input.js';
import { canRepeat, isKeyed, unavailable } from './lost-connection.js';
import { KeptChanges } from './kept-changes.service.js';
import { ScopeGuard } from './scope.guard.js';

/** An endpoint with what every call of it needs; made at its first call. */
interface Prepared {
  endpoint: Endpoint;
  handler: Handler;
  /** What it does before it has a transaction. */
  before: Handler | null;
  /** The name in logs and spans. */
  name: string;
}

/** How an operation is run inside another one's call. */
export interface WithinOptions {
  /** The key under which it is done once. No header of the outer call is used. */
  key?: CallKey;
  /** What its audit row has unless the handler says otherwise. */
  draft?: AuditDraft;
  /** The caller may do this, whatever its scope and groups. */
  isAdmitted?: boolean;
  /** Whether the answer is one for pages. */
  isForPages?: true;
  /** Runs once the change is made and audited, before any commit; what it throws takes all back. */
  check?: () => void;
}

/**
 * The life of a call, whichever door it comes through, in the order of docs/behaviour.md §1.4:
 *
 *   the door's guard finds the caller (401) → [the operation's name is found (404)] → ScopeGuard: budget
 *   (429), access (403) → input (400) → transaction( new customer, handler, audit row, outbox rows ) →
 *   present → envelope
 *
 * The interceptor begins at the input. Before the input is valid, only the refusal of a change is written.
 * The session opens its transaction with its first statement, so a refused call opens none. Requests without
 * an endpoint (pages, probes, MCP's own messages) pass through.
 */
@Injectable()
export class CallInterceptor implements NestInterceptor {
  private readonly prepared = new Map<object, Prepared | AnsweringItself | null>();

  constructor(
    private readonly budgets: BudgetGuard,
    private readonly database: StoreDatabase,
    private readonly module: ModuleRef,
    private readonly kept: KeptChanges,
    private readonly scopes: ScopeGuard,
  ) {}

  /**
   * Calls the handler directly. Through `next`, Nest would create a dozen Observables, which cost more than
   * the query. A pipe, an interceptor or a parameter decorator of the handler itself would therefore not run,
   * so the registry refuses them at startup.
   */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const prepared = this.prepare(context.getHandler(), context.getClass());
    if (typeof prepared === 'function') return from(prepared(...context.getArgs()));
    return prepared ? from(this.traced(prepared, context.getArgByIndex<CallRequest>(0))) : next.handle();
  }

  /**
   * For doors that call endpoints other than by their routes, whose guards therefore have not run.
   * @param request must have a principal
   * @returns as `run`
   */
  async answer(method: object, controller: Type, request: CallRequest): Promise<string | Stream> {
    const { call } = request;
    if (!call.auth.principal) throw new Error('a call without a principal');
    const prepared = this.prepare(method, controller) as Prepared;
    call.operation = prepared.name;
    await this.scopes.admit(prepared.endpoint, call);
    return this.traced(prepared, request);
  }

  /**
   * Runs an operation inside the call of another one, and in its transaction. Access, input, key and audit
   * row are the operation's own; the budget is the call's.
   * @returns the operation's envelope
   */
  async within(
    ctx: StoreContext,
    [method, controller]: [object, Type],
    given: object,
    { key, draft = {}, isAdmitted = false, isForPages, check }: WithinOptions = {},
  ): Promise<string> {
    const prepared = this.prepare(method, controller) as Prepared;
    const { endpoint, handler } = prepared;
    if (!isAdmitted && !this.scopes.isAllowed(endpoint, ctx.call!))
      await this.scopes.refuse(endpoint, ctx.call!, !ctx.session.isRehearsal);
    const input = validateInput(endpoint.input, given);
    const { pageBytes } = ctx.call!.answer ?? {};
    const call: Call = { ...ctx.call!, headers: {}, key, input, answer: { pageBytes, isForPages } };
    const inner = ctx.with({ call, audit: { ...draft }, expected: null });
    const handle = () => handler(inner, input, call.auth.caller);
    return (await this.inStore(endpoint, { call }, inner, handle, check)) as string;
  }

  private prepare(method: object, controller: Type): Prepared | AnsweringItself | null {
    let prepared = this.prepared.get(method);
    if (prepared === undefined) {
      const instance = this.module.get<object>(controller, { strict: false });
      const endpoint = endpointOf(method);
      if (endpoint) prepared = { endpoint, ...boundTo(instance, method, endpoint), name: nameOf(endpoint) };
      else prepared = answersItself(method) ? (method as AnsweringItself).bind(instance) : null;
      this.prepared.set(method, prepared);
    }
    return prepared;
  }

  private traced(prepared: Prepared, request: CallRequest): Promise<string | Stream> {
    const { call } = request;
    // A read holds no connection.
    const run = () => this.run(prepared, request);
    const guarded = prepared.endpoint.audited === undefined ? run : () => asCall(run);
    if (!tracer) return guarded();
    const attributes = {
      'shop.transport': call.transport,
      'shop.request_id': call.requestId,
      'shop.store_id': call.auth.principal?.storeId,
    };
    return tracer.span(prepared.name, { attributes }, guarded);
  }

  /** @returns the envelope as JSON text, for every transport; or the object that writes a streamed answer */
  private async run(prepared: Prepared, request: CallRequest): Promise<string | Stream> {
    const { endpoint, handler } = prepared;
    const { call } = request;
    const input = (call.input = await inputOf(endpoint, request));
    if (!call.auth.principal) return envelope(endpoint, await handler(input, call.auth.caller));
    const ifMatch = call.headers['if-match'];
    const expected = ifMatch === undefined ? null : expectedVersion(endpoint, ifMatch);
    const outside =
      prepared.before && new Outside(prepared.before, request, (ctx) => keyOf(endpoint, call, ctx));
    try {
      for (let isRepeat = false; ; isRepeat = true) {
        const ctx = this.database.contextOf(call, expected);
        try {
          const admitted = outside ? await outside.look(ctx) : request;
          const handle = () => handler(ctx, input, call.auth.caller, outside?.found);
          const text = await this.inStore(endpoint, admitted, ctx, handle);
          await ctx.session.commit();
          if (call.isReplayed && !isRepeat) await this.budgets.countAsRead(call);
          return text;
        } catch (failure) {
          const error = await ctx.session.fail(failure);
          if (isRepeat || !canRepeat(endpoint, call, ctx.session, error))
            throw unavailable(error, ctx.session, isKeyed(endpoint, call)) ?? error;
        }
      }
    } finally {
      await outside?.end();
    }
  }

  private async inStore(
    endpoint: Endpoint,
    { call, admit }: CallRequest,
    ctx: StoreContext,
    handle: () => unknown,
    check: () => void = () => undefined,
  ): Promise<string | Stream> {
    const isStepwise = endpoint.idempotencyKey === 'stepwise';
    let key = keyOf(endpoint, call, ctx);
    let repeated = key && (await firstUse(ctx, key, ANSWERS));
    if (admit) {
      await admit(ctx, repeated !== null);
      if (key === null && (key = keyOf(endpoint, call, ctx))) repeated = await firstUse(ctx, key, ANSWERS);
    }
    if (repeated && !(isStepwise && repeated.kept === null)) return answerAgain(ctx, repeated);
    if (key && isStepwise) {
      await ctx.session.commit();
      call.key = { mode: 'stepwise', value: key };
    }
    const answer = (data: unknown): string => {
      const text = envelope(endpoint, data, call.answer);
      if (key && endpoint.idempotencyKey !== 'once') keepAnswer(ctx, key, text);
      return text;
    };
    const result = await handle();
    const another = isStepwise && key && (await answerOfAnother(ctx, key));
    if (another) return answerAgain(ctx, another);
    if (endpoint.audited && !endpoint.relays) {
      if (isLong(call)) await longTurn();
      const kept = this.audit(endpoint, endpoint.audited, call, ctx);
      if (kept) await kept;
    }
    check();
    if (result instanceof Finished) {
      if (typeof result.answer !== 'string') call.timing.streamsSince = performance.now();
      return result.answer;
    }
    if (!(result instanceof AfterCommit)) return answer(result);
    if (ctx.session.isRehearsal) return answer(result.interim);
    // If the process dies after this, a repeat is answered with the state at the commit.
    if (result.interim !== undefined) answer(result.interim);
    await ctx.session.commit();
    return answer(await result.run());
  }

  /** @returns as KeptChanges.keep */
  private audit(endpoint: Endpoint, operation: string, call: Call, ctx: StoreContext) {
    const { transport } = call;
    const input = withoutSecrets(endpoint.input, call.input!);
    const written = writeAudit(ctx, { ...ctx.audit, operation, transport, input, outcome: 'ok' });
    return isOperation(endpoint) && !endpoint.additive
      ? this.kept.keep(ctx, written, ctx.audit.kept)
      : undefined;
  }
}

/** The key under which the call is done once, if the caller sent one and the interceptor keeps it. */
function keyOf(endpoint: Endpoint, { input }: Call, ctx: StoreContext): UsedKey | null {
  const { idempotencyKey, audited, input: type } = endpoint;
  if (idempotencyKey === undefined || idempotencyKey === 'own') return null;
  // On the dashboard a password or code is typed anew for a repeat, and no hash of one may be kept.
  return usedKey(ctx, audited!, type, isOperation(endpoint) ? input! : withoutSecrets(type, input!));
}
