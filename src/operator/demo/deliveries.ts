import { type SecretBox } from '../../platform/crypto/secret-box.js';
import { newSecret, secretPurpose } from '../../webhooks/delivery/signature.js';
import { RetrySchedule } from '../../webhooks/delivery/retry-schedule.js';
import * as sql from './demo.statements.js';
import type { History } from './history.js';
import { DAY, HOUR, idAt, iso, type Past } from './past.js';
import type { Random } from './random.js';
import { write } from './write-history.js';

/** An address that never resolves, because `.invalid` is reserved for that (RFC 6761). */
const URL = 'https://orders.demo.invalid/webhooks';
/** Events are kept for thirty days, so the demo has those of the last 29 days. */
const KEPT = 29 * DAY;
/**
 * A time in which the receiver was down. Early deliveries were given up after the sixth attempt, the others
 * arrived later.
 */
const OUTAGE = { from: 4 * DAY, to: 4 * DAY - 14 * HOUR };
const SCHEDULE = new RetrySchedule([60, 300, 1_800, 7_200, 21_600]);

interface Attempt {
  at: number;
  isFailed: boolean;
  durationMs: number;
}

/** Writes the store's webhook, the events of the last weeks and their deliveries. No delivery is pending. */
export async function seedDeliveries(
  past: Past,
  random: Random,
  secrets: SecretBox,
  history: History,
  ids: string[],
): Promise<void> {
  const { ctx, now } = past;
  const madeAt = past.ago(61 * DAY);
  const sealedSecret = secrets.seal(newSecret(), secretPurpose(ctx.storeId));
  await write(ctx, sql.ENDPOINT, [
    { url: URL, sealedSecret, createdAt: iso(madeAt), updatedAt: iso(madeAt) },
  ]);
  past.note({
    at: madeAt,
    operation: 'webhook.save',
    transport: 'dashboard',
    actor: past.owner,
    target: `webhook:${ctx.storeId}`,
    input: { url: URL },
    changes: { url: [null, URL] },
  });
  const kept = history.events.filter(({ at }) => at > now - KEPT);
  const events = kept.map(({ order, at, ...event }) => ({ ...event, id: idAt(at), orderId: ids[order], at }));
  await write(
    ctx,
    sql.EVENTS,
    events.map((event) => ({ ...event, at: iso(event.at) })),
  );
  const deliveries = events.map(({ id, at }) => ({ id, at, attempts: attemptsOf(random, past, at) }));
  await write(
    ctx,
    sql.DELIVERIES,
    deliveries.map(({ id, at, attempts }) => deliveryRow(id, at, attempts)),
  );
  await write(
    ctx,
    sql.ATTEMPTS,
    deliveries.flatMap(({ id, attempts }) => attempts.map((attempt) => attemptRow(id, attempt))),
  );
}

function attemptsOf(random: Random, past: Past, happenedAt: number): Attempt[] {
  const attempts: Attempt[] = [];
  let at: number | null = happenedAt + random.integer(20, 400);
  while (at !== null) {
    const isFailed: boolean = at > past.ago(OUTAGE.from) && at < past.ago(OUTAGE.to);
    const durationMs = random.integer(40, 380);
    attempts.push({ at, isFailed, durationMs });
    const wait: number | null = isFailed ? SCHEDULE.retryInMs(attempts.length) : null;
    at = wait === null ? null : at + durationMs + wait;
  }
  return attempts;
}

function deliveryRow(id: string, at: number, attempts: Attempt[]) {
  const last = attempts[attempts.length - 1];
  return {
    id,
    status: last.isFailed ? 'failed' : 'delivered',
    failedAttempts: attempts.filter(({ isFailed }) => isFailed).length,
    createdAt: iso(at),
    finishedAt: iso(last.at + last.durationMs),
  };
}

function attemptRow(deliveryId: string, { at, isFailed, durationMs }: Attempt) {
  return {
    deliveryId,
    id: idAt(at),
    at: iso(at),
    durationMs,
    statusCode: isFailed ? 503 : 204,
    error: isFailed ? 'answered with status 503' : null,
    response: isFailed ? 'Down for maintenance' : '',
  };
}
