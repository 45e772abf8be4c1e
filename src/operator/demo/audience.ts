import { createHash } from 'node:crypto';
import type { Contest } from '../../groups/contests/contest.entity.js';
import * as sql from './demo.statements.js';
import type { History } from './history.js';
import { DAY, dayOf, HOUR, idAt, iso, type Past } from './past.js';
import type { DemoCustomer } from './people.js';
import type { Random } from './random.js';
import { HISTORY_DAYS } from './shopping.js';
import { write } from './write-history.js';

const CAMPAIGNS = [
  { name: 'Autumn weeks', daysAgo: 50, text: 'Two weeks of 12 % cashback on everything. Have a look!' },
  { name: 'New: embroidered shirts', daysAgo: 23, text: 'Made by hand, from linen. See them in the shop.' },
  { name: 'Our birthday', daysAgo: 6, text: 'We turn five, and you get 3 % more cashback until next week.' },
];
/** Messages per second. */
const PACE = 25;

/** Writes the visits to the storefront, the participants of contests, and the campaigns. */
export async function seedAudience(
  past: Past,
  random: Random,
  history: History,
  customers: DemoCustomer[],
  contests: Contest[],
): Promise<void> {
  await write(past.ctx, sql.VISITS, visitRows(past, random, history, customers));
  await write(
    past.ctx,
    sql.PARTICIPANTS,
    contests.flatMap((contest) => participantRows(past, random, contest, customers)),
  );
  const campaigns = CAMPAIGNS.map((campaign) => campaignOf(past, random, campaign, customers));
  await write(
    past.ctx,
    sql.CAMPAIGNS,
    campaigns.map(({ row }) => row),
  );
  await write(
    past.ctx,
    sql.RECIPIENTS,
    campaigns.flatMap(({ recipients }) => recipients),
  );
}

/** The visits of each day: those of all customers who ordered, and of some who did not. */
function visitRows(past: Past, random: Random, { orders }: History, customers: DemoCustomer[]) {
  const lastVisit = new Map<string, string>();
  const rows: { customerId: string; day: string; previousDay: string | null }[] = [];
  for (let day = HISTORY_DAYS; day >= 0; day--) {
    const date = dayOf(past.ago(day * DAY));
    const buyers = new Set(
      orders.filter(({ placedAt }) => dayOf(placedAt) === date).map(({ customer }) => customer),
    );
    for (const customer of customers) {
      const looksIn = dayOf(customer.joinedAt) <= date && !customer.isBanned && random.chance(0.12);
      if (!looksIn && !buyers.has(customer)) continue;
      rows.push({ customerId: customer.id, day: date, previousDay: lastVisit.get(customer.id) ?? null });
      lastVisit.set(customer.id, date);
    }
  }
  return rows;
}

function participantRows(
  past: Past,
  random: Random,
  { id, startDate, endDate, status }: Contest,
  customers: DemoCustomer[],
) {
  if (status === 'DRAFT') return [];
  const [from, to] = [startDate.getTime(), Math.min(endDate.getTime(), past.ago(HOUR))];
  return customers.flatMap((customer) => {
    const at = Math.round(random.between(from, to));
    if (customer.joinedAt > at || customer.isBanned || !random.chance(0.5)) return [];
    return [{ contestId: id, customerId: customer.id, createdAt: iso(at) }];
  });
}

function campaignOf(
  past: Past,
  random: Random,
  { name, daysAgo, text }: (typeof CAMPAIGNS)[number],
  customers: DemoCustomer[],
) {
  const at = past.ago(daysAgo * DAY);
  const id = idAt(at);
  const recipients = customers
    .filter(({ joinedAt, isBanned }) => joinedAt < at && !isBanned)
    .map((customer, i) => recipientRow(random, id, at + Math.round((i * 1_000) / PACE), customer));
  const audience = { all: true };
  const row = {
    id,
    name,
    text,
    audience,
    recipientCount: recipients.length,
    status: 'finished',
    inputHash: createHash('sha256').update(text).digest('hex'),
    createdAt: iso(at),
    finishedAt: iso(at + Math.ceil((recipients.length * 1_000) / PACE)),
  };
  const changes: Record<string, [unknown, unknown]> = {
    name: [null, name],
    recipientCount: [null, recipients.length],
  };
  const input = { name, text, audience, confirm: true };
  past.note({
    at,
    operation: 'send_campaign',
    transport: 'dashboard',
    actor: past.owner,
    target: `campaign:${id}`,
    input,
    changes,
  });
  return { row, recipients };
}

function recipientRow(
  random: Random,
  campaignId: string,
  at: number,
  { id: customerId, isBotBlocked }: DemoCustomer,
) {
  if (isBotBlocked) return { campaignId, customerId, status: 'blocked', reason: 'blocked', sentAt: null };
  if (random.chance(0.05))
    return { campaignId, customerId, status: 'failed', reason: 'unreachable', sentAt: null };
  return { campaignId, customerId, status: 'sent', reason: null, sentAt: iso(at) };
}
