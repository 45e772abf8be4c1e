import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { BudgetGuard } from '../../platform/rate-limit/budget.guard.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { ChecklistItem, StoreOverview } from './overview.dto.js';
import { GET_OVERVIEW } from './overview.statements.js';

type Row = RowOf<typeof GET_OVERVIEW>;

/** Shows the store at a glance, and whether it is ready to sell (docs/behaviour.md §13.7). */
@Injectable()
export class OverviewService {
  constructor(private readonly budgets: BudgetGuard) {}

  async get(ctx: StoreContext): Promise<StoreOverview> {
    const { name: tokenName } = ctx.actor;
    const [[row], left] = await Promise.all([ctx.session.read(GET_OVERVIEW), this.budgets.left(ctx.call!)]);
    const { name, plan, createdAt, username, mode, fields, activeProviders, url, paused, waiting, failed } =
      row;
    const { products, hiddenProducts, categories, brands, customers, orders, pendingOrders } = row;
    return {
      store: { id: ctx.storeId, name, currency: ctx.currency, plan, createdAt: createdAt.toISOString() },
      token: { name: tokenName, scope: ctx.call!.principal!.scope!, ...left },
      bot: { connected: username !== null, username },
      checkout: { mode, fields, activeProviders },
      counts: { products, hiddenProducts, categories, brands, customers, orders, pendingOrders },
      webhook: { url, paused, pending: waiting, failed },
      checklist: checklistOf(row),
    };
  }
}

function checklistOf(row: Row): ChecklistItem[] {
  const check = (item: string, ok: boolean, hint: string): ChecklistItem => ({ item, ok, hint });
  const needsProvider = row.mode !== 'manual';
  return [
    check(
      'A product is on sale',
      row.products > row.hiddenProducts,
      'Create one with create_product, or show one: update_product, isHidden false.',
    ),
    check('The store bot is connected', row.username !== null, 'Connect it with connect_bot.'),
    check(
      'Shoppers can pay',
      !needsProvider || row.activeProviders > 0,
      needsProvider
        ? `Checkout mode ${row.mode} needs an active provider: create_payment_provider.`
        : 'Checkout mode manual: orders are paid by hand.',
    ),
    check(
      'Orders reach the shop',
      row.url !== null && !row.paused,
      'Set the webhook on the dashboard, Settings, Order webhooks, or poll list_events.',
    ),
    check(
      'Webhook deliveries arrive',
      row.failed === 0,
      'Look at Recent deliveries on the dashboard, fix the endpoint, then send them again.',
    ),
  ];
}
