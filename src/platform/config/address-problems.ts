import { parseUrl } from '../text/url.js';

/** What is wrong with an address to which paths are appended, or null. */
export function rootProblem(value: string): string | null {
  const parsed = parseUrl(value);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    return 'must be an absolute http or https URL';
  return /[?#]/.test(value) ? 'must end with the host or a path, without ? and #' : null;
}

/**
 * The same for an address that is published in documents, or requested by `fetch`, which accepts no password
 * in an address.
 */
export function openRootProblem(value: string): string | null {
  const { username, password } = parseUrl(value) ?? {};
  return rootProblem(value) ?? (username || password ? 'must not contain a user name or password' : null);
}

export function smtpUrlProblem(value: string): string | null {
  const parsed = parseUrl(value);
  if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol))
    return 'must be an absolute smtp or smtps URL';
  return parsed.hostname === '' ? 'must name the host of the mail server' : null;
}

const CONTACT = /^(?:[^\s<>@,:/]+@[^\s<>@,:/]+|https?:\/\/[^\s<>]+)$/;

export const contactProblem = (value: string): string | null =>
  value.length <= 200 && CONTACT.test(value)
    ? null
    : 'must be an e-mail address or a web address of at most 200 characters';

export const domainProblem = (value: string): string | null =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value) ? null : 'must be a domain, as in shops.example';

/**
 * Refuses misspellings of `production`, because security depends on it and any other name counts as a private
 * installation.
 */
export function nodeEnvProblem(value: string): string | null {
  const isMeant = /^prod(uction)?$/i.test(value.trim()) && value !== 'production';
  return isMeant ? 'must be written production, in small letters and whole' : null;
}
