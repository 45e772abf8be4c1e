import { invalidInput } from '../platform/errors.js';
import { changedFields } from '../platform/store/audit.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { isTimeZone } from './time-zone.js';
import { GET_ACCENT, GET_PROFILE, HIDE_FIRST_SALE, LOCK_PROFILE, SET_PROFILE } from './stores.statements.js';
import { storeWords } from './words/languages.js';
import type { StoreWords } from './words/store-words.js';

export interface StoreProfile {
  name: string;
  currency: string;
  timeZone: string;
  /** The language of the fixed words that shoppers read. */
  language: string;
}

export async function storeProfile(ctx: StoreContext): Promise<StoreProfile> {
  const [profile] = await ctx.session.read(GET_PROFILE);
  return profile;
}

/** The IANA time zone by which the store's days go. */
export async function storeTimeZone(ctx: StoreContext): Promise<string> {
  return (await storeProfile(ctx)).timeZone;
}

/** What the store says by itself, in its language. */
export async function wordsOf(ctx: StoreContext): Promise<StoreWords> {
  return storeWords((await storeProfile(ctx)).language);
}

/** @throws OperationError invalid_input for a name that is no time zone */
export function requireTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone))
    throw invalidInput('timeZone must be an IANA time zone, such as Europe/Kyiv').about('time_zone', {
      path: 'timeZone',
    });
}

type ProfileChange = Partial<Pick<StoreProfile, 'timeZone' | 'language'> & { accent: string | null }>;

/** What is not given stays. @throws OperationError invalid_input */
export async function updateProfile(ctx: StoreContext, given: ProfileChange): Promise<StoreProfile> {
  if (given.timeZone !== undefined) requireTimeZone(given.timeZone);
  const [before] = await ctx.session.query(LOCK_PROFILE);
  const changes = changedFields(before, given);
  if (Object.keys(changes).length > 0) {
    ctx.session.enqueue(SET_PROFILE, { ...before, ...given, now: ctx.now() });
    ctx.audit.changes = changes;
  }
  const [profile] = await ctx.session.query(GET_PROFILE);
  return profile;
}

/** The colour by which the shop is known, `#rrggbb` in small letters; null without one. */
export async function accentOf(ctx: StoreContext): Promise<string | null> {
  const [{ accent }] = await ctx.session.read(GET_ACCENT);
  return accent;
}

/** The colour of a text on another one: whichever of black and white has more contrast to it (WCAG 2.2). */
export function textOn(colour: string): '#000000' | '#ffffff' {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#000000' : '#ffffff';
}

/** Leaves the steps to the first sale out of the pages of all members, or shows them again. */
export async function hideFirstSale(ctx: StoreContext, hidden: boolean): Promise<{ hidden: boolean }> {
  const [changed] = await ctx.session.query(HIDE_FIRST_SALE, { hidden, now: ctx.now() });
  if (changed) ctx.audit.changes = { hidden: [!hidden, hidden] };
  return { hidden };
}
