import { Injectable } from '@nestjs/common';
import { type Group, mayCall } from '../../access/rights.js';
import { limitsLeft } from '../../stores/daily-limits.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { type RowOf, statement } from '../../platform/database/statement.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ChecklistItem, StoreOverview } from './overview.dto.js';
import { canPay } from '../payment-providers/payment-provider.statements.js';
import { HEALTH, HEALTH_OF_ENDPOINT } from '../../webhooks/endpoint/webhook-health.js';

/**
 * Returns one row with everything the overview shows. Customers and orders are sums that triggers maintain.
 */
const GET_OVERVIEW = statement(
  'get_store_overview',
  `select coalesce(g.name, s.name) as "name!", s.plan, s.created_at as "createdAt", b.username,
     coalesce(c.mode, 'manual') as "mode!", coalesce(json_array_length(c.fields), 0)::int as "fields!",
     e.url, e.paused_at is not null as "paused!", ${HEALTH},
     (select count(*)::int from payment_providers p
      where p.store_id = $store and p.is_active) as "activeProviders!",
     exists (select from payment_providers p where p.store_id = $store and p.is_active
      and (c.mode <> 'native_payments' or ${canPay('s.currency')})) as "canPay!",
     exists (select from payment_providers p where p.store_id = $store and p.is_active and not p.is_test_mode
      and (c.mode <> 'native_payments' or ${canPay('s.currency')})) as "canPayLive!",
     (select count(*)::int from products p where p.store_id = $store) as "products!",
     (select count(*)::int from products p where p.store_id = $store and p.is_hidden) as "hiddenProducts!",
     (select count(*)::int from categories k where k.store_id = $store) as "categories!",
     (select count(*)::int from brands r where r.store_id = $store) as "brands!",
     (select coalesce(sum(n.total), 0)::int from contact_counts n where n.store_id = $store) as "customers!",
     (select count(*)::int from orders o
      where o.store_id = $store and owed_back(o.status, o.paid, o.returned) > 0) as "paidNotReturned!",
     d.orders as "orders!", d.pending as "pendingOrders!",
     (select count(*)::int from (
        select from webhook_deliveries w
        where w.store_id = $store and w.status = 'pending' limit 1000) w) as "waiting!",
     (select count(*) filter (where w.status = 'failed')::int from (
        select w.status from webhook_deliveries w
        where w.store_id = $store order by w.id desc limit 100) w) as "failed!"
   from stores s left join store_settings g on g.store_id = s.id left join bots b on b.store_id = s.id
     left join checkout_configurations c on c.store_id = s.id
     left join webhook_endpoints e on e.store_id = s.id ${HEALTH_OF_ENDPOINT}
     cross join (
       select
         coalesce(sum(o.pending + o.processing + o.shipped + o.delivered + o.cancelled), 0)::int as orders,
         coalesce(sum(o.pending), 0)::int as pending
       from order_days o where o.store_id = $store
     ) d
   where s.id = $store`,
  { slow: true },
);

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
    const principal = ctx.call!.auth.principal!;
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
