import { RETRY_DELAYS } from './limits.mjs';

/** How much later than the schedule an attempt may start: a sweep a second, and a machine with other work. */
const TOLERANCE_MS = 4_000;
const ADDRESS = /\d{1,3}(\.\d{1,3}){3}|[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:]*|localhost/i;
const MAX_RESPONSE_BYTES = 1024;

/**
 * Holds the invariants I1 to I6 and I8 against what a fault left behind (I7 and I9 are measured by the faults
 * they concern).
 * @param expected.repeats how many POSTs of something already accepted are allowed; none without a fault
 * @param expected.schedule whether the retries must have kept to the schedule: nobody was killed or frozen
 */
export async function check(stage, { repeats: allowed = 0, schedule = false, problems = [] } = {}) {
  const { writer, receiver } = stage;
  const rows = await deliveriesOf(stage);
  const repeats = countRepeats(receiver.posts, rows);
  const lost = countLost(writer, receiver, rows);
  const broken = [
    ...problems,
    ...(lost > 0 ? [`I1: ${lost} acknowledged changes were lost`] : []),
    ...(await ghosts(stage, rows)),
    ...(repeats > allowed ? [`I3: ${repeats} repeats, ${allowed} allowed`] : []),
    ...identity(receiver.posts, rows),
    ...(await orderKeys(stage, rows)),
    ...(schedule ? scheduleKept(rows) : []),
    ...leaks(rows),
  ];
  return {
    acknowledged: writer.acknowledged.length,
    received: new Set(receiver.posts.map(({ id }) => id)).size,
    lost,
    repeats,
    broken,
  };
}

const deliveriesOf = ({ lab, stores }) =>
  lab.query(
    `select d.store_id, d.id, e.order_id::float8, d.status, d.failed_attempts,
      encode(sha256(e.body), 'hex') as digest,
       convert_from(e.body, 'UTF8')::json -> 'data' ->> 'updatedAt' as updated_at,
       coalesce((select json_agg(json_build_object('at', extract(epoch
       from a.at) * 1000, 'durationMs', a.duration_ms,
         'status', a.status_code, 'error', a.error, 'response', a.response) order by a.at)
         from webhook_attempts a where a.store_id = d.store_id and a.delivery_id = d.id), '[]') as attempts
     from webhook_deliveries d join order_events e on e.store_id = d.store_id and e.id = d.id
       where d.store_id = any($1)`,
    [stores.map(({ id }) => id)],
  );

/**
 * POSTs beyond those of the attempts that count: the failed ones of the schedule and the one that delivered.
 */
function countRepeats(posts, rows) {
  const counted = new Map(
    rows.map(({ id, status, failed_attempts }) => [id, failed_attempts + (status === 'delivered' ? 1 : 0)]),
  );
  const came = new Map();
  for (const { id } of posts) came.set(id, (came.get(id) ?? 0) + 1);
  return [...came].reduce((sum, [id, count]) => sum + Math.max(0, count - (counted.get(id) ?? 1)), 0);
}

/** I1: each acknowledged change was received, or its delivery has failed after six attempts on record. */
function countLost(writer, receiver, rows) {
  const key = (orderId, updatedAt) => `${orderId} ${updatedAt}`;
  const arrived = new Set(receiver.posts.map(({ orderId, updatedAt }) => key(orderId, updatedAt)));
  for (const { order_id, updated_at, status, attempts } of rows) {
    if (status === 'failed' && attempts.length >= RETRY_DELAYS.length + 1)
      arrived.add(key(order_id, updated_at));
  }
  return writer.acknowledged.filter(({ orderId, updatedAt }) => !arrived.has(key(orderId, updatedAt))).length;
}

/**
 * I2: what was received was committed: its row is there, and each change has its audit row of the same
 * transaction.
 */
async function ghosts({ lab, receiver, stores }, rows) {
  const known = new Set(rows.map(({ id }) => id));
  const ghosts = new Set(receiver.posts.map(({ id }) => id).filter((id) => !known.has(id)));
  const [{ changes }] = await lab.query(
    `select count(*)::int as changes from audit_log where store_id = any($1) and outcome = 'ok'
      and operation in ('set_order_status', 'ship_order')`,
    [stores.map(({ id }) => id)],
  );
  const received = new Set(receiver.posts.map(({ id }) => id)).size;
  return [
    ...(ghosts.size > 0 ? [`I2: ${ghosts.size} deliveries of changes that were not committed`] : []),
    ...(received > changes ? [`I2: ${received} deliveries received of ${changes} committed changes`] : []),
  ];
}

/**
 * I4: the same bytes on every attempt, those that are stored; the header's id is the body's; the signature
 * verifies.
 */
function identity(posts, rows) {
  const stored = new Map(rows.map(({ id, digest }) => [id, digest]));
  const wrong = (name, test) => {
    const count = posts.filter(test).length;
    return count > 0 ? [`I4: ${count} POSTs ${name}`] : [];
  };
  return [
    ...wrong('with other bytes than stored', ({ id, digest }) => stored.has(id) && stored.get(id) !== digest),
    ...wrong('whose headers do not match the body', ({ isIdentified }) => !isIdentified),
    ...wrong('whose signature does not verify', ({ isSigned }) => !isSigned),
  ];
}

/** I5: updatedAt tells an order's changes apart, and whoever lets the newest win ends where get_order is. */
async function orderKeys({ receiver, stores, writer, web }, rows) {
  const broken = [];
  const keys = new Set(rows.map(({ order_id, updated_at }) => `${order_id} ${updated_at}`));
  if (keys.size < rows.length)
    broken.push(`I5: ${rows.length - keys.size} changes share their updatedAt with another`);
  if (!web.running || rows.some(({ status }) => status !== 'delivered')) return broken;
  for (const store of stores) {
    for (const orderId of store.orders.filter((id) => receiver.newest.has(id)).slice(0, 5)) {
      const { json } = await writer.call('get_order', { orderId }, store);
      if (JSON.stringify(json.data) !== JSON.stringify(receiver.newest.get(orderId))) {
        broken.push(`I5: order ${orderId} is not what its newest delivery says`);
      }
    }
  }
  return broken;
}

/**
 * I6: each attempt starts its delay after the end of the one before, six at most, then the delivery has
 * failed.
 */
function scheduleKept(rows) {
  const broken = [];
  for (const { id, status, attempts } of rows) {
    if (attempts.length > RETRY_DELAYS.length + 1) broken.push(`I6: ${attempts.length} attempts of ${id}`);
    if (status === 'failed' && attempts.length !== RETRY_DELAYS.length + 1)
      broken.push(`I6: ${id} failed after ${attempts.length}`);
    for (const [k, { at, durationMs }] of attempts.slice(0, -1).entries()) {
      const late = attempts[k + 1].at - (at + durationMs) - RETRY_DELAYS[k] * 1000;
      // Both times are rounded to the millisecond.
      if (late < -2 || late > TOLERANCE_MS)
        broken.push(`I6: attempt ${k + 2} of ${id} was ${Math.round(late)} ms off its time`);
    }
  }
  return broken.slice(0, 5);
}

/**
 * I8: what the tenant may read of an attempt names no address and no secret, and keeps little of the answer.
 */
function leaks(rows) {
  const attempts = rows.flatMap(({ attempts }) => attempts);
  const broken = [];
  if (attempts.some(({ error }) => error && ADDRESS.test(error)))
    broken.push('I8: an error names an address');
  if (JSON.stringify(attempts).includes('whsec_')) broken.push('I8: an attempt holds a secret');
  if (attempts.some(({ response }) => response && Buffer.byteLength(response) > MAX_RESPONSE_BYTES * 3)) {
    broken.push('I8: more of an answer is kept than 1 KiB');
  }
  return broken;
}
