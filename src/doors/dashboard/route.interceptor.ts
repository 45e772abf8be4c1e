import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { withoutSecrets, writeAudit } from '../../platform/store/audit.js';
import { includesScope } from '../../platform/store/principal.js';
import type { Page } from '../../platform/schema/page.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import type { Call } from '../../platform/store/call.js';
import { callOf } from '../../platform/call/operation.metadata.js';
import { forbidden } from '../../platform/errors.js';
import { NoInput } from '../../platform/schema/page.dto.js';
import { expectedVersion } from '../../platform/store/version.js';
import { pageText } from '../../platform/schema/page-text.js';
import { present } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BudgetKeeper } from '../../platform/rate-limit/budget-keeper.js';
import { routeOf, type RouteSpec } from './route.metadata.js';

/**
 * A page's life after the guard, in the order operations have it (docs/behaviour.md §1.4): budget (429) → owners only (403) → input (400) →
 * transaction( handler, audit row ) → present → envelope.
 */
@Injectable()
export class RouteInterceptor implements NestInterceptor {
  constructor(
    private readonly database: StoreDatabase,
    private readonly budgets: BudgetKeeper,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<string> {
    const call = callOf(context);
    const route = routeOf(context.getHandler())!;
    const handle = () => lastValueFrom<unknown>(next.handle());
    return from(call.principal ? this.inStore(route, call, handle) : handle().then((data) => envelope(route, data)));
  }

  private async inStore(route: RouteSpec, call: Call, handle: () => Promise<unknown>): Promise<string> {
    await this.budgets.spend(call, route.audited ? 'write' : 'read');
    const expected = route.ifMatch ? expectedVersion({ name: route.path, ifMatch: true }, call) : null;
    const ctx = this.database.contextOf(call, expected);
    call.context = ctx;
    try {
      if (route.access === 'owner' && !includesScope(call.principal!.scope, 'admin')) await this.refuseStaff(route, ctx);
      const data = await handle();
      if (route.audited) {
        const input = withoutSecrets(route.input ?? NoInput, call.input!);
        writeAudit(ctx, { ...ctx.audit, operation: route.audited, transport: call.transport, input, outcome: 'ok' });
      }
      const text = envelope(route, data);
      await ctx.session.commit();
      return text;
    } catch (error) {
      await ctx.session.rollback();
      throw error;
    }
  }

  /** The refusal of a change is audited, as it is for tokens (docs/behaviour.md §6.10). */
  private async refuseStaff(route: RouteSpec, ctx: StoreContext): Promise<never> {
    if (route.audited) {
      writeAudit(ctx, { operation: route.audited, transport: 'dashboard', input: {}, outcome: 'forbidden' });
      await ctx.session.commit();
    }
    throw forbidden("Only the store's owner may do this");
  }
}

function envelope({ output, list }: RouteSpec, data: unknown): string {
  if (!list) return JSON.stringify({ ok: true, data: present(output, data as object) });
  return `{"ok":true,"data":${pageText(output, data as Page<object>)}}`;
}
