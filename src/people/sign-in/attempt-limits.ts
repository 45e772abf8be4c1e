import { createHash } from 'node:crypto';
import { emailKey } from '../../platform/text/keys.js';
import { networkOf } from '../../platform/text/network.js';
import { DAY_MS } from '../../platform/clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LONGEST_WINDOW_MS = DAY_MS;

/** The maximum number of attempts in a window, counted under a subject. */
export interface AttemptLimit {
  subject: string;
  max: number;
  windowMs: number;
  /** The effect of a right answer: all attempts are given back, or only this one. */
  afterSuccess: 'reset' | 'not counted';
}

/**
 * How often passwords of an account may be tried (docs/behaviour.md §12). A browser that has signed in to it
 * before has its own limit, which others cannot use up. Everybody else shares 10 attempts in 15 minutes per
 * account and network, 100 per network, and 100 a day per account: 36,500 guesses a year, from any number of
 * networks. Unknown accounts are counted like any other, so that a refusal reveals nothing.
 * @param browser what KnownBrowsers.recognize returned
 */
export function signInLimits(email: string, address: string, browser: string | null): AttemptLimit[] {
  const [account, network] = [emailDigest(email), networkDigest(address)];
  const short = { windowMs: 15 * MINUTE_MS };
  if (browser !== null)
    return [{ ...short, subject: `browser:${account}:${browser}`, max: 10, afterSuccess: 'reset' }];
  return [
    { ...short, subject: `account-network:${account}:${network}`, max: 10, afterSuccess: 'reset' },
    { ...short, subject: `network:${network}`, max: 100, afterSuccess: 'not counted' },
    { subject: `account:${account}`, max: 100, windowMs: LONGEST_WINDOW_MS, afterSuccess: 'not counted' },
  ];
}

/**
 * Codes of the second factor are short, so only 20 wrong ones a day are allowed: for each known browser, and
 * for all others together.
 */
export const codeLimit = (userId: string, browser: string | null): AttemptLimit => ({
  subject: `code:${userId}:${browser ?? 'strangers'}`,
  max: 20,
  windowMs: LONGEST_WINDOW_MS,
  afterSuccess: 'reset',
});

/**
 * Passwords and codes that are asked for again inside a session, so that somebody who has taken it over
 * cannot guess them.
 */
export const sessionLimit = (tokenHash: string): AttemptLimit => ({
  subject: `session:${tokenHash}`,
  max: 10,
  windowMs: 15 * MINUTE_MS,
  afterSuccess: 'reset',
});

/** Requests for a new password, for any address. */
export const resetRequestLimit = (address: string): AttemptLimit => ({
  subject: `reset-network:${networkDigest(address)}`,
  max: 20,
  windowMs: 15 * MINUTE_MS,
  afterSuccess: 'not counted',
});

/** E-mails to one address that others can cause. */
export const mailLimit = (kind: 'invitation' | 'reset', email: string): AttemptLimit => ({
  subject: `mail-${kind}:${emailDigest(email)}`,
  max: 5,
  windowMs: HOUR_MS,
  afterSuccess: 'not counted',
});

/** E-mails that one store sends, so that a store's owner cannot misuse the operator's mail server. */
export const storeMailLimit = (storeId: string): AttemptLimit => ({
  subject: `mail-store:${storeId}`,
  max: 100,
  windowMs: LONGEST_WINDOW_MS,
  afterSuccess: 'not counted',
});

/**
 * Apps that register themselves. Hosted agents come from few networks, so these limits are high. There is
 * none on all together, which anybody could use up: the oldest unused registrations are dropped instead.
 */
export const registrationLimits = (address: string): AttemptLimit[] => {
  const limit = { windowMs: HOUR_MS, afterSuccess: 'not counted' as const };
  return [
    { ...limit, subject: `registration-network:${networkDigest(address)}`, max: 200 },
    { ...limit, subject: `registration-line:${digest(networkOf(address, 3, 3))}`, max: 400 },
  ];
};

/**
 * The counters of an account that the operator can clear, as patterns for SQL's `like`: passwords from
 * unknown browsers, and codes.
 */
export const subjectsOfAccount = (userId: string, email: string) => [
  `account:${emailDigest(email)}`,
  `account-network:${emailDigest(email)}:%`,
  `code:${userId}:%`,
];

/** Addresses are hashed, because people sometimes type a password into the wrong field. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const emailDigest = (email: string) => digest(emailKey(email));

/** IPv4 counts by the /24, which one customer of a provider commonly has. */
const networkDigest = (address: string) => digest(networkOf(address, 3));
