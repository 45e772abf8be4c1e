import { hashToken, newToken } from '../../platform/auth/token.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import type { Actor } from '../../platform/store/principal.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Invoices } from '../../groups/billing/invoices.service.js';
import { BotMessages } from '../../groups/bot/bot-messages.service.js';
import { BrandsService } from '../../groups/brands/brands.service.js';
import { CategoriesService } from '../../groups/categories/categories.service.js';
import { CheckoutConfiguration } from '../../groups/checkout/checkout-configuration.service.js';
import { ContestsService } from '../../groups/contests/contests.service.js';
import { InvoiceFields } from '../../groups/invoice-fields/invoice-fields.service.js';
import { MonetizationService } from '../../groups/monetization/monetization.service.js';
import { PaymentProviders } from '../../groups/payment-providers/payment-providers.service.js';
import { ProductsService } from '../../groups/products/products.service.js';
import { PromocodesService } from '../../groups/promocodes/promocodes.service.js';
import { Settings } from '../../groups/settings/settings.service.js';
import type { Services } from '../cli/services.js';
import { seedAudience } from './audience.js';
import { seedCatalog } from './catalog.js';
import { configure } from './configuration.js';
import { seedDeliveries } from './deliveries.js';
import * as sql from './demo.statements.js';
import { type Actors, History } from './history.js';
import { DAY, HOUR, idAt, iso, Past } from './past.js';
import { type DemoCustomer, demoCustomers } from './people.js';
import { Random } from './random.js';
import { planOrders } from './shopping.js';
import { write, writeAudits, writeHistory } from './write-history.js';

const SEED = 20_261_122;
const OPENED = 99 * DAY;
/** The ages of the invoices. Each was issued soon after the end of its month. */
const BILLED = [65 * DAY, 35 * DAY, 4 * DAY];

/**
 * Fills an empty store with three months of sales, so that every page has something to show. Times are
 * relative to now; everything else is the same each time. Few rows are written one by one, so that it takes
 * only a moment.
 * @returns the number of orders
 */
export async function fillStore(app: Services, ctx: StoreContext, owner: Actor): Promise<number> {
  const past = new Past(ctx, ctx.now().getTime(), owner);
  const random = new Random(SEED);
  await ctx.session.run(sql.AGE_STORE, iso(past.ago(OPENED)));
  const goods = await seedCatalog(past, {
    brands: app.get(BrandsService),
    categories: app.get(CategoriesService),
    products: app.get(ProductsService),
  });
  const configuration = await configure(past, {
    botMessages: app.get(BotMessages),
    checkout: app.get(CheckoutConfiguration),
    contests: app.get(ContestsService),
    invoiceFields: app.get(InvoiceFields),
    monetization: app.get(MonetizationService),
    promocodes: app.get(PromocodesService),
    providers: app.get(PaymentProviders),
    settings: app.get(Settings),
  });
  const warehouse = await seedTokens(past, app.get(TokenRegistry));
  const actors: Actors = { owner, warehouse, messenger: { kind: 'system', id: null, name: 'messenger' } };
  const customers = demoCustomers(random, past.now);
  const history = new History(past, configuration, actors);
  history.play(planOrders(random, past.now, customers, goods), customers);
  const ids = await writeHistory(past, random, history, customers);
  await seedDeliveries(past, random, app.get(SecretBox), history, ids);
  await seedAudience(past, random, history, customers, configuration.contests);
  noteBans(past, customers);
  await seedBilling(past, app.get(Invoices));
  await seedAccess(past);
  await writeAudits(past, ids);
  return ids.length;
}

/**
 * Creates two tokens whose text nobody knows: one that was used, and one that has expired. @returns the actor
 * of the first one
 */
async function seedTokens(past: Past, tokens: TokenRegistry): Promise<Actor> {
  const [made, used] = [past.ago(62 * DAY), past.ago(2 * HOUR)];
  const values = { name: 'Warehouse', scope: 'write', expiresAt: null } as const;
  const { record } = await past.run(made, 'token.create', values, (ctx) => tokens.create(ctx, values));
  const expired = { name: 'Accountant', scope: 'read', expiresAt: new Date(past.ago(10 * DAY)) } as const;
  await past.run(past.ago(40 * DAY), 'token.create', expired, (ctx) => tokens.create(ctx, expired));
  await past.ctx.session.run(sql.USE_TOKEN, record.id, iso(used));
  return { kind: 'token', id: record.id, name: record.name };
}

function noteBans(past: Past, customers: DemoCustomer[]): void {
  for (const { id, isBanned } of customers) {
    if (!isBanned) continue;
    const changes: Record<string, [unknown, unknown]> = { isBanned: [false, true] };
    const input = { id, isBanned };
    past.note({
      at: past.ago(13 * DAY),
      operation: 'update_customer',
      transport: 'dashboard',
      actor: past.owner,
      target: `customer:${id}`,
      input,
      changes,
    });
  }
}

/** Writes three months on two plans. The last invoice is open. */
async function seedBilling(past: Past, invoices: Invoices): Promise<void> {
  const { ctx } = past;
  await ctx.session.run(sql.SUBSCRIPTION, iso(past.ago(OPENED)));
  const changedAt = past.ago(50 * DAY);
  await write(ctx, sql.PLAN_CHANGES, [
    { id: idAt(changedAt), fromPlan: 'growth', toPlan: 'pro', changedAt: iso(changedAt) },
  ]);
  for (const age of BILLED) await invoices.issue(past.at(past.ago(age)));
  await ctx.session.run(sql.PAY_INVOICES);
}

/** Writes an invitation and a connected app. Nobody has the link of the invitation or a token of the app. */
async function seedAccess(past: Past): Promise<void> {
  const { ctx, owner } = past;
  const [invited, connected] = [past.ago(2 * DAY), past.ago(18 * DAY)];
  await write(ctx, sql.INVITATIONS, [
    {
      id: idAt(invited),
      email: 'helper@demo.example',
      role: 'staff',
      tokenHash: hashToken(newToken()),
      invitedBy: owner.id ?? owner.name,
      createdAt: iso(invited),
      expiresAt: iso(invited + 7 * DAY),
    },
  ]);
  if (owner.id === null) return;
  const host = 'assistant.demo.invalid';
  await write(ctx, sql.GRANTS, [
    {
      id: idAt(connected),
      userId: owner.id,
      clientId: `https://${host}/client.json`,
      clientName: 'Shop assistant',
      clientHost: host,
      redirectHost: host,
      scope: 'read',
      resource: '/mcp',
      createdAt: iso(connected),
      lastUsedAt: iso(past.ago(DAY)),
      expiresAt: iso(past.now + 60 * DAY),
    },
  ]);
}
