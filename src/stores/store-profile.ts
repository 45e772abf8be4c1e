import { invalidInput } from '../platform/errors.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { isTimeZone } from './time-zone.js';
import { GET_PROFILE, HIDE_FIRST_SALE, LOCK_TIME_ZONE, SET_TIME_ZONE } from './stores.statements.js';

export interface StoreProfile {
  name: string;
  currency: string;
  timeZone: string;
}

export async function storeProfile(ctx: StoreContext): Promise<StoreProfile> {
  const [profile] = await ctx.session.read(GET_PROFILE);
  return profile;
}

/** The IANA time zone by which the store's days go. */
export async function storeTimeZone(ctx: StoreContext): Promise<string> {
  return (await storeProfile(ctx)).timeZone;
}

/** @throws OperationError invalid_input for a name that is no time zone */
export function requireTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw invalidInput('timeZone must be an IANA time zone, such as Europe/Kyiv');
}

/** @throws OperationError invalid_input */
export async function setStoreTimeZone(ctx: StoreContext, timeZone: string): Promise<StoreProfile> {
  requireTimeZone(timeZone);
  const [before] = await ctx.session.query(LOCK_TIME_ZONE);
  if (before.timeZone !== timeZone) {
    ctx.session.enqueue(SET_TIME_ZONE, { timeZone, now: ctx.now() });
    ctx.audit.changes = { timeZone: [before.timeZone, timeZone] };
  }
  const [profile] = await ctx.session.query(GET_PROFILE);
  return profile;
}

/** Leaves the steps to the first sale out of the pages of all members, or shows them again. */
export async function hideFirstSale(ctx: StoreContext, hidden: boolean): Promise<{ hidden: boolean }> {
  const [changed] = await ctx.session.query(HIDE_FIRST_SALE, { hidden, now: ctx.now() });
  if (changed) ctx.audit.changes = { hidden: [!hidden, hidden] };
  return { hidden };
}
