import { Injectable } from '@nestjs/common';
import { type Group, mayCall } from '../../access/rights.js';
import { limitsLeft } from '../../stores/daily-limits.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import type { RowOf } from '../../platform/database/statement.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ChecklistItem, StoreOverview } from './overview.dto.js';
import { GET_OVERVIEW } from './overview.statements.js';

type Row = RowOf<typeof GET_OVERVIEW>;

/** Shows the store at a glance, and whether it is ready to sell (docs/behaviour.md §13.7). */
@Injectable()
export class OverviewService {
  constructor(
    private readonly budgets: BudgetGuard,
    private readonly operations: OperationRegistry,
  ) {}

  async get(ctx: StoreContext): Promise<StoreOverview> {
    const { name: tokenName } = ctx.actor;
    const [[row], left, dailyLimits] = await Promise.all([
      ctx.session.read(GET_OVERVIEW),
      this.budgets.left(ctx.call!),
      limitsLeft(ctx),
    ]);
    const { name, plan, createdAt, username, mode, fields, activeProviders } = row;
    const { url, paused, waiting: pending, failed, failingSince, lastError, lastSuccessAt } = row;
    const principal = ctx.call!.principal!;
    const sees = (group: Group, name: string) => mayCall(principal, { name, groups: [group], scope: 'read' });
    /** Null where the caller's groups do not include it (docs/behaviour.md §2.4). */
    const seen = <Value>(group: Group, name: string, value: Value) => (sees(group, name) ? value : null);
    return {
      store: { id: ctx.storeId, name, currency: ctx.currency, plan, createdAt: createdAt.toISOString() },
      token: {
        name: tokenName,
        scope: principal.scope!,
        groups: this.operations.groupsOf(principal),
        ...left,
        dailyLimits,
      },
      bot: seen('bot', 'get_bot', { connected: username !== null, username }),
      checkout: seen('checkout', 'get_checkout', { mode, fields, activeProviders }),
      counts: {
        products: seen('products', 'list_products', row.products),
        hiddenProducts: seen('products', 'list_products', row.hiddenProducts),
        categories: seen('categories', 'list_categories', row.categories),
        brands: seen('brands', 'list_brands', row.brands),
        customers: seen('customers', 'list_customers', row.customers),
        orders: seen('orders', 'list_orders', row.orders),
        pendingOrders: seen('orders', 'list_orders', row.pendingOrders),
        paidNotReturned: seen('orders', 'list_orders', row.paidNotReturned),
      },
      webhook: seen('events', 'list_events', {
        ...{ url, paused, pending, failed },
        ...{ failingSince, lastError, lastSuccessAt },
      }),
      checklist: checklistOf(row, sees),
    };
  }
}

function payableHint({ mode, canPay, canPayLive }: Row): string {
  if (canPay && !canPayLive)
    return 'The only active provider is in test mode: update_payment_provider, isTestMode false.';
  const needed = mode === 'native_payments' ? ", with the store's currency and a token" : '';
  return `Checkout mode ${mode} needs an active provider${needed}: create_payment_provider.`;
}

const failingOf = ({ failingSince, lastError }: Row): string =>
  failingSince === null ? '' : `Failing since ${failingSince.toISOString()}: ${lastError}. `;

type Sees = (group: Group, name: string) => boolean;

function checklistOf(row: Row, sees: Sees): ChecklistItem[] {
  const check = (group: Group, name: string, item: string, ok: boolean, hint: string): ChecklistItem[] =>
    sees(group, name) ? [{ item, ok, hint }] : [];
  const needsProvider = row.mode !== 'manual';
  return [
    check(
      'products',
      'list_products',
      'A product is on sale',
      row.products > row.hiddenProducts,
      'Create one with create_product, or show one: update_product, isHidden false.',
    ),
    check(
      'bot',
      'get_bot',
      'The store bot is connected',
      row.username !== null,
      'Connect it with connect_bot.',
    ),
    check(
      'checkout',
      'get_checkout',
      'Shoppers can pay',
      !needsProvider || row.canPayLive,
      needsProvider ? payableHint(row) : 'Checkout mode manual: orders are paid by hand.',
    ),
    check(
      'events',
      'list_events',
      'Orders reach the shop',
      row.url !== null && !row.paused,
      'Set the webhook on the dashboard, Settings, Order webhooks, or poll list_events.',
    ),
    // Without a webhook nothing is delivered, so there is nothing that could have arrived.
    row.url === null
      ? []
      : check(
          'events',
          'list_events',
          'Webhook deliveries arrive',
          row.failed === 0 && row.failingSince === null,
          `${failingOf(row)}See list_webhook_deliveries, fix the endpoint, then resend_webhook_deliveries.`,
        ),
  ].flat();
}
