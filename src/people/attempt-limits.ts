import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const LONGEST_WINDOW_MS = 24 * HOUR_MS;

/** So many attempts at most in a window, counted under a subject. */
export interface AttemptLimit {
  subject: string;
  max: number;
  windowMs: number;
  /** What a right answer gives back: all attempts so far, or this one only. */
  afterSuccess: 'starts anew' | 'not counted';
}

/**
 * How often passwords of an account may be tried (docs/behaviour.md §12). A browser that has signed in to it before has a limit of
 * its own, which strangers do not touch. Everybody else shares 10 in 15 minutes per account and network, 100 per network, and
 * 100 a day per account: 36,500 guesses a year, from however many networks they come. An account that does not exist is counted
 * like any other, so a refusal reveals nothing.
 * @param browser what KnownBrowsers.recognize returned
 */
export function signInLimits(email: string, address: string, browser: string | null): AttemptLimit[] {
  const [account, network] = [digest(email), digest(networkOf(address))];
  const short = { windowMs: 15 * MINUTE_MS };
  if (browser !== null) return [{ ...short, subject: `browser:${account}:${browser}`, max: 10, afterSuccess: 'starts anew' }];
  return [
    { ...short, subject: `account-network:${account}:${network}`, max: 10, afterSuccess: 'starts anew' },
    { ...short, subject: `network:${network}`, max: 100, afterSuccess: 'not counted' },
    { subject: `account:${account}`, max: 100, windowMs: LONGEST_WINDOW_MS, afterSuccess: 'not counted' },
  ];
}

/** Codes of the second factor, which are short: 20 wrong ones a day, strangers and each known browser for themselves. */
export const codeLimit = (userId: string, browser: string | null): AttemptLimit => ({
  subject: `code:${userId}:${browser ?? 'strangers'}`,
  max: 20,
  windowMs: LONGEST_WINDOW_MS,
  afterSuccess: 'starts anew',
});

/** Passwords and codes asked for again inside a session: whoever took it over must not find them out by trying. */
export const sessionLimit = (tokenHash: string): AttemptLimit => ({
  subject: `session:${tokenHash}`,
  max: 10,
  windowMs: 15 * MINUTE_MS,
  afterSuccess: 'starts anew',
});

/** Requests for a new password, for whatever addresses. */
export const resetRequestLimit = (address: string): AttemptLimit => ({
  subject: `reset-network:${digest(networkOf(address))}`,
  max: 20,
  windowMs: 15 * MINUTE_MS,
  afterSuccess: 'not counted',
});

/** E-mails to one address that others can cause. */
export const mailLimit = (kind: 'invitation' | 'reset', email: string): AttemptLimit => ({
  subject: `mail-${kind}:${digest(email)}`,
  max: 5,
  windowMs: HOUR_MS,
  afterSuccess: 'not counted',
});

/** E-mails that one store has sent: whoever owns one must not make the operator's mail server write to everybody. */
export const storeMailLimit = (storeId: string): AttemptLimit => ({
  subject: `mail-store:${storeId}`,
  max: 100,
  windowMs: LONGEST_WINDOW_MS,
  afterSuccess: 'not counted',
});

/** Apps that register themselves. Hosted agents come from few networks, so these are wide. */
export const registrationLimits = (address: string): AttemptLimit[] => [
  { subject: `registration-network:${digest(networkOf(address))}`, max: 200, windowMs: HOUR_MS, afterSuccess: 'not counted' },
  { subject: 'registration', max: 5_000, windowMs: LONGEST_WINDOW_MS, afterSuccess: 'not counted' },
];

/** What is counted of an account's passwords by strangers and of its codes, as patterns of SQL's `like`, for the operator to clear. */
export const subjectsOfAccount = (userId: string, email: string) => [
  `account:${digest(email)}`,
  `account-network:${digest(email)}:%`,
  `code:${userId}:%`,
];

/** Hashed, since people also type passwords into the wrong field. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** The neighbourhood that one customer of a provider has to call from: a /24 of IPv4, a /64 of IPv6. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return (parsed as ipaddr.IPv4).octets.slice(0, 3).join('.');
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
