import { randomUUID } from 'node:crypto';
import { Invoices } from '../../groups/billing/invoices.service.js';
import { Subscriptions } from '../../groups/billing/subscriptions.service.js';
import { SET_BOT_BLOCKED } from '../../groups/bot/bot.statements.js';
import { listRecipients } from '../../groups/campaigns/campaign-recipients.js';
import {
  END_CAMPAIGN,
  INSERT_CAMPAIGN,
  SETTLE_RECIPIENT,
} from '../../groups/campaigns/campaign.statements.js';
import { SendCampaignInput } from '../../groups/campaigns/campaigns.dto.js';
import { INSERT as INSERT_GRANT } from '../../people/apps/connections.statements.js';
import { INSERT as INSERT_INVITATION } from '../../people/members/invitations.statements.js';
import { hashToken, newToken } from '../../platform/auth/token.js';
import { TokenRegistry } from '../../platform/auth/token-registry.js';
import { actorOf, inputHash } from '../../platform/call/idempotency.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { newId } from '../../platform/ids.js';
import { emailKey } from '../../platform/text/keys.js';
import { changedFields } from '../../platform/store/audit.js';
import type { Actor } from '../../platform/store/call.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { newSecret, secretPurpose } from '../../webhooks/delivery/signature.js';
import { SAVE as SAVE_WEBHOOK } from '../../webhooks/endpoint/webhook-endpoints.statements.js';
import type { Services } from '../cli/command.js';
import { type Goods, makeCatalog } from './catalog.js';
import { configure } from './configuration.js';
import * as sql from './demo.statements.js';
import { History } from './history.js';
import { DAY, HOUR, Past } from './past.js';
import { type DemoCustomer, demoCustomers } from './people.js';
import { Random } from './random.js';
import { planOrders } from './shopping.js';

const SEED = 20_261_122;
const OPENED = 99 * DAY;
/** The store begins on the smaller one. */
export const PLANS = { first: 'growth', second: 'pro' };
/** The ages of the invoices. Each was issued soon after the end of its month. */
const BILLED = [65 * DAY, 35 * DAY, 4 * DAY];
/** An address that never resolves, because `.invalid` is reserved for that (RFC 6761). */
const WEBHOOK = 'https://orders.demo.invalid/webhooks';
const APP_HOST = 'assistant.demo.invalid';
const CAMPAIGNS = [
  { name: 'Autumn weeks', daysAgo: 50, text: 'Two weeks of 12 % cashback on everything. Have a look!' },
  { name: 'New: embroidered shirts', daysAgo: 23, text: 'Made by hand, from linen. See them in the shop.' },
  { name: 'Our birthday', daysAgo: 6, text: 'We turn five, and you get 3 % more cashback until next week.' },
];

/**
 * Lets an empty store live for three months: its own services do everything, at times relative to now. Apart
 * from these times, the history is always the same.
 * @returns the number of orders
 */
export async function fillStore(app: Services, ctx: StoreContext, owner: Actor): Promise<number> {
  const past = new Past(ctx, owner);
  const random = new Random(SEED);
  const customers = demoCustomers(random, past.now);
  const orders = planOrders(random, past.now, customers);
  const sold = new Map<Goods, number>();
  for (const { goods, quantity } of orders.flatMap(({ lines }) => lines))
    sold.set(goods, (sold.get(goods) ?? 0) + quantity);
  await ctx.session.query(sql.AGE_STORE, { createdAt: new Date(past.ago(OPENED)) });
  const { baseUrl } = app.get(CONFIG) as Config;
  await makeCatalog(past, app, sold, `${baseUrl}/dashboard/demo.svg`);
  await configure(past, app);
  const warehouse = await makeTokens(past, app);
  new History(past, app, random, warehouse).plan(customers, orders);
  for (const campaign of CAMPAIGNS) planCampaign(past, random, customers, campaign);
  planWebhook(past, app);
  planBilling(past, app);
  planAccess(past);
  await past.happen();
  await ctx.session.query(sql.SETTLE_DELIVERIES, {
    downFrom: new Date(past.ago(4 * DAY)),
    downUntil: new Date(past.ago(4 * DAY - 14 * HOUR)),
  });
  await ctx.session.query(sql.PAY_INVOICES);
  const [tokenUsedAt, appUsedAt] = [2 * HOUR, DAY].map((age) => new Date(past.ago(age)));
  await ctx.session.query(sql.NOTE_USE, { tokenId: warehouse.id!, tokenUsedAt, appUsedAt });
  return orders.length;
}

/** Two tokens whose text nobody knows. @returns the actor of the first one; the second one has expired */
async function makeTokens(past: Past, app: Services): Promise<Actor> {
  const make = (ago: number, name: string, scope: 'read' | 'write', expiresAt: Date | null) =>
    past.call(past.ago(ago * DAY), 'token.create', { name, scope, expiresAt }, (ctx) =>
      app.get(TokenRegistry).create(ctx, { name, scope, expiresAt }),
    );
  const { id, name } = (await make(97, 'Warehouse', 'write', null)).record;
  past.plan(past.ago(40 * DAY), () => make(40, 'Accountant', 'read', new Date(past.ago(10 * DAY))));
  return { kind: 'token', id, name };
}

/** The store has no bot, so the messages are settled here as the bot's answers would have settled them. */
function planCampaign(
  past: Past,
  random: Random,
  customers: DemoCustomer[],
  { daysAgo, name, text }: (typeof CAMPAIGNS)[number],
): void {
  const audience = { all: true };
  const input: SendCampaignInput = { name, text, audience, confirm: true };
  const blockers = customers.filter(({ isBotBlocked }) => isBotBlocked).map(({ id }) => id);
  past.planCall(past.ago(daysAgo * DAY), 'send_campaign', input, async (ctx) => {
    const recipients = await listRecipients(ctx, audience);
    const campaign = { id: newId(), leaseToken: randomUUID() };
    await ctx.session.query(INSERT_CAMPAIGN, {
      ...{ ...campaign, name, text, imageUrl: null, buttonText: null, buttonUrl: null },
      audience: JSON.stringify(audience),
      customerIds: recipients,
      texts: [],
      key: null,
      actor: actorOf(ctx),
      inputHash: inputHash(SendCampaignInput, input),
      now: ctx.now(),
    });
    for (const to of recipients) {
      const isBlocked = blockers.includes(to);
      const isSent = !isBlocked && !random.chance(0.05);
      ctx.session.enqueue(SETTLE_RECIPIENT, {
        id: campaign.id,
        customerId: to,
        status: isSent ? 'sent' : isBlocked ? 'blocked' : 'failed',
        reason: isSent ? null : isBlocked ? 'blocked' : 'unreachable',
        detail: null,
        sentAt: isSent ? ctx.now() : null,
      });
      if (isBlocked) ctx.session.enqueue(SET_BOT_BLOCKED, { customerId: to, isBlocked, now: ctx.now() });
    }
    const now = new Date(ctx.now().getTime() + 40 * recipients.length);
    await ctx.session.query(END_CAMPAIGN, { ...campaign, now });
    ctx.audit.target = `campaign:${campaign.id}`;
    ctx.audit.changes = changedFields({}, { name, recipientCount: recipients.length });
  });
}

/** Deliveries are kept for thirty days, so the webhook is not older. No service would accept its address. */
function planWebhook(past: Past, app: Services): void {
  past.planCall(past.ago(29 * DAY), 'webhook.save', { url: WEBHOOK }, async (ctx) => {
    const sealedSecret = app.get(SecretBox).seal(newSecret(), secretPurpose(ctx.storeId));
    await ctx.session.query(SAVE_WEBHOOK, { url: WEBHOOK, sealedSecret, now: ctx.now() });
    ctx.audit.target = `webhook:${ctx.storeId}`;
    ctx.audit.changes = { url: [null, WEBHOOK] };
  });
}

/** Three months on two plans. */
function planBilling(past: Past, app: Services): void {
  const by = { actor: { kind: 'system', id: null, name: 'operator' } as const, transport: 'cli' as const };
  const plan = PLANS.second;
  const change = (ctx: StoreContext) => app.get(Subscriptions).change(ctx, plan);
  past.planCall(past.ago(50 * DAY), 'billing.plan', { plan }, change, by);
  const issue = (ctx: StoreContext) => app.get(Invoices).issue(ctx);
  for (const age of BILLED) past.planCall(past.ago(age), 'billing.issue', {}, issue, by);
}

/** An invitation and a connected app. Nobody has the link of the invitation or a token of the app. */
function planAccess(past: Past): void {
  const { id: userId, name } = past.owner;
  const invitation = { email: 'helper@demo.example', role: 'staff' };
  past.planCall(past.ago(2 * DAY), 'member.invite', invitation, (ctx) => {
    const [now, expiresAt] = [ctx.now(), new Date(past.now + 5 * DAY)];
    const link = { id: newId(), tokenHash: hashToken(newToken()), invitedBy: userId ?? name };
    const key = { emailKey: emailKey(invitation.email) };
    const rest = { groups: null, mailedHash: null };
    return ctx.session.query(INSERT_INVITATION, { ...invitation, ...key, ...link, ...rest, now, expiresAt });
  });
  if (userId === null) return;
  const [clientId, appHost] = [`https://${APP_HOST}/client.json`, APP_HOST];
  const app = { clientId, appName: 'Shop assistant', appHost, redirectHost: appHost };
  const grant = { id: newId(), userId, ...app, resource: '/mcp' };
  const rights = {
    scope: 'read',
    groups: null,
    declined: [],
    askedScopes: ['read', 'write'],
    asksFirst: false,
    limits: null,
  };
  const expiresAt = new Date(past.now + 60 * DAY);
  past.plan(past.ago(18 * DAY), (at) =>
    past.do(at, past.owner, (ctx) =>
      ctx.session.query(INSERT_GRANT, { ...grant, ...rights, now: ctx.now(), expiresAt }),
    ),
  );
}
