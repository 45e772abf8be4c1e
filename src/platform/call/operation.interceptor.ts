import { type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Observable, of } from 'rxjs';
import { withoutSecrets, writeAudit } from '../store/audit.js';
import { StoreDatabase } from '../store/store-database.js';
import type { Page } from '../schema/page.js';
import type { Call } from '../store/call.js';
import { validateInput } from '../schema/validate.js';
import { callOf, operationOf, type OperationSpec } from './operation.metadata.js';
import { pageText } from '../schema/page-text.js';
import { parseInput } from '../schema/parse-input.js';
import { present, RawJson } from '../schema/present.js';
import { expectedVersion } from '../store/version.js';
import { Idempotency } from './idempotency.js';
import { AfterCommit } from '../store/after-commit.js';
import type { StoreContext } from '../store/store-context.js';

type Handler = (ctx: StoreContext, input: object) => unknown;

/**
 * The last part of a call's life, after the guards: input (400) → transaction( handler, audit row, outbox rows ) → present →
 * envelope. The session opens its transaction only with its first statement, so a refused input costs none. Answers the envelope as JSON text, for every transport.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  private readonly handlers = new Map<object, Handler>();

  constructor(
    private readonly database: StoreDatabase,
    private readonly module: ModuleRef,
  ) {}

  /** Calls the handler itself: by way of `next`, Nest would make a dozen Observables of it, which cost more than the query. */
  async intercept(context: ExecutionContext): Promise<Observable<string>> {
    return of(await this.run(operationOf(context.getHandler())!, callOf(context), this.handlerOf(context)));
  }

  private handlerOf(context: ExecutionContext): Handler {
    const method = context.getHandler();
    let handler = this.handlers.get(method);
    if (!handler) this.handlers.set(method, (handler = method.bind(this.module.get(context.getClass())) as Handler));
    return handler;
  }

  private async run(operation: OperationSpec, call: Call, handler: Handler): Promise<string> {
    const input = (call.input = validateInput(
      operation.input,
      call.body((text) => parseInput(text, operation.input)),
    ));
    const ctx = this.database.contextOf(call, expectedVersion(operation, call));
    try {
      const retry = await Idempotency.claim(ctx, operation, call);
      const envelope =
        typeof retry === 'string' ? retry : await this.finish(operation, call, await handler(ctx, input), ctx, retry);
      await ctx.session.commit();
      return envelope;
    } catch (error) {
      await ctx.session.rollback();
      throw error;
    }
  }

  private async finish(
    operation: OperationSpec,
    call: Call,
    result: unknown,
    ctx: StoreContext,
    retry: Idempotency | null,
  ): Promise<string> {
    if (operation.scope !== 'read') this.audit(ctx, operation, call);
    if (!(result instanceof AfterCommit)) return this.answer(operation, result, retry);
    // Should the process die from here on, a repeat is answered with what is known at the commit.
    if (result.interim !== undefined) this.answer(operation, result.interim, retry);
    await ctx.session.commit();
    return this.answer(operation, await result.run(), retry);
  }

  private answer(operation: OperationSpec, data: unknown, retry: Idempotency | null): string {
    const envelope = `{"ok":true,"data":${dataText(operation, data)}}`;
    retry?.keep(envelope);
    return envelope;
  }

  private audit(ctx: StoreContext, operation: OperationSpec, call: Call): void {
    writeAudit(ctx, {
      ...ctx.audit,
      operation: operation.name,
      transport: call.transport,
      input: withoutSecrets(operation.input, call.input!),
      outcome: 'ok',
    });
  }
}

/** The data of the envelope: what the database wrote in final form as it is, everything else through its output class. */
function dataText({ output, list }: OperationSpec, data: unknown): string {
  if (data instanceof RawJson) return data.text;
  if (!list) return JSON.stringify(present(output, data as object));
  return pageText(output, data as Page<object>);
}
