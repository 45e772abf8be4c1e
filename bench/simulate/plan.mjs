// From shops to machines: what an installation needs for its busiest hour, and which of its parts ends first.

/**
 * The average shop. Orders are unevenly spread, so a thousand of them have one of a million orders a year
 * among them.
 */
const SHOP = {
  ordersPerYear: 10_000,
  linesPerOrder: 2,
  changesPerOrder: 5,
  readsPerOrder: 45,
  listsPerOrder: 5,
  customersPerOrder: 0.4,
};
/** How much more the busiest hour of the year asks for than the average one. */
const PEAK = 10;
/** No machine is more than half loaded at that hour: the calls of one that fails have to go somewhere. */
const HALF = 0.5;
const MONTH_DAYS = 30;
const YEAR_SECONDS = 365 * 86_400;
/** A small machine has everything on it. */
const SMALL_CORES = 2;
const WEB_CORES = 8;
const DATABASE_CORES = [2, 4, 8, 16, 32];
/**
 * Connections of a process for calls, and those that are its own: to listen, to be asked for its host, for
 * long reads.
 */
const CONNECTIONS = { pool: 20, own: 3 };
/** Beyond so many connections PostgreSQL is better behind a pooler. */
const CONNECTIONS_LIMIT = 400;
/** A log that one disk, two standbys and the network between them keep up with, in bytes a second. */
const LOG_LIMIT = 200e6;
/** A database that is still copied to a new standby, or restored, within a day at 100 MB a second. */
const DISK_LIMIT = 8e12;
const KEPT_YEARS = 3;
/** What one Redis counts, in calls a second. */
const REDIS_LIMIT = 40_000;

/** What shops ask for in their busiest hour: calls of each operation a second. */
export function demand(shops) {
  const ordersPerSecond = (shops * SHOP.ordersPerYear * PEAK) / YEAR_SECONDS;
  return {
    get_order: ordersPerSecond * SHOP.readsPerOrder,
    list_orders: ordersPerSecond * SHOP.listsPerOrder,
    set_order_status: ordersPerSecond * SHOP.changesPerOrder,
  };
}

/** Bytes an order leaves: for good, for as long as the audit log is kept, for the 30 days of a delivery. */
function bytesOfOrder({ bytes }) {
  const delivery = bytes.order_events + bytes.webhook_deliveries + bytes.webhook_attempts;
  return {
    forGood: bytes.orders + SHOP.linesPerOrder * bytes.order_items + SHOP.customersPerOrder * bytes.customers,
    audit: SHOP.changesPerOrder * bytes.audit_log,
    delivery: SHOP.changesPerOrder * delivery,
  };
}

/** Bytes that shops add a month, and what is there after three years (audit: 400 days, deliveries: 30). */
export function disk(costs, shops) {
  const { forGood, audit, delivery } = bytesOfOrder(costs);
  const ordersADay = (shops * SHOP.ordersPerYear) / 365;
  return {
    aMonth: ordersADay * MONTH_DAYS * (forGood + audit),
    after: ordersADay * (KEPT_YEARS * 365 * forGood + 400 * audit + 30 * delivery),
  };
}

/** Cores that a demand keeps busy, without waking up: at the load that counts, nobody sleeps. */
function cores({ calls, delivery, inAMix }, perSecond) {
  const sum = (key) =>
    Object.entries(perSecond).reduce((total, [name, rate]) => total + rate * calls[name][key], 0) / 1e6;
  const deliveries = perSecond.set_order_status / 1e6;
  return {
    web: inAMix.web * sum('serviceMicros'),
    delivering: inAMix.delivering * deliveries * delivery.serviceMicros,
    database: inAMix.database * (sum('databaseMicros') + deliveries * delivery.databaseMicros),
    logBytes: sum('walBytes') * 1e6 + perSecond.set_order_status * delivery.walBytes,
  };
}

/** How far each part of one installation is used, 1 being as far as it goes; the greatest ends first. */
function limits(costs, shops) {
  const perSecond = demand(shops);
  const busy = cores(costs, perSecond);
  const calls = Object.values(perSecond).reduce((sum, rate) => sum + rate, 0);
  return {
    "the database's cores": busy.database / HALF / DATABASE_CORES.at(-1),
    'the write-ahead log': busy.logBytes / HALF / LOG_LIMIT,
    'the disk after three years': disk(costs, shops).after / DISK_LIMIT,
    Redis: calls / HALF / REDIS_LIMIT,
  };
}

/** @returns the groups of stores that are needed, what ends first in each, and the machines of one */
export function plan(costs, shops) {
  const found = Object.entries(limits(costs, shops)).sort(([, a], [, b]) => b - a);
  const groups = Math.max(1, Math.ceil(found[0][1]));
  const [endsFirst, used] = found[0];
  const perSecond = demand(shops / groups);
  const busy = cores(costs, perSecond);
  const isOne =
    busy.web + busy.delivering + busy.database <= SMALL_CORES * HALF && busy.web + busy.delivering <= HALF;
  // One that may fail is one more than are needed.
  const processes = isOne ? 1 : Math.max(2, Math.ceil(busy.web / HALF));
  const deliverers = isOne ? 1 : Math.max(2, Math.ceil(busy.delivering / HALF));
  // One machine's cores are for all that is on it.
  const databaseCores = isOne
    ? SMALL_CORES
    : (DATABASE_CORES.find((n) => busy.database <= n * HALF) ?? DATABASE_CORES.at(-1));
  const connections = (isOne ? 1 : processes + deliverers) * (CONNECTIONS.pool + CONNECTIONS.own);
  return {
    shops,
    groups,
    endsFirst: isOne ? 'the one machine' : endsFirst,
    used: isOne
      ? Math.max(
          (busy.web + busy.delivering) / HALF,
          (busy.web + busy.delivering + busy.database) / SMALL_CORES / HALF,
        )
      : used / groups,
    perSecond,
    machines: {
      isOne,
      processes,
      deliverers,
      cores: databaseCores,
      web: isOne ? 0 : Math.max(2, Math.ceil(processes / WEB_CORES)),
      delivering: isOne ? 0 : Math.max(2, Math.ceil(deliverers / WEB_CORES)),
      // The leader and its two standbys.
      databases: isOne ? 0 : 3,
    },
    connections,
    needsPooler: connections > CONNECTIONS_LIMIT,
    disk: disk(costs, shops),
  };
}
