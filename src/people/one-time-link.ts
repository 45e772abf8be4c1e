import { randomBytes } from 'node:crypto';

/** 256 random bits; what is stored is their SHA-256, which is enough for something random. */
export const newSecret = () => randomBytes(32).toString('base64url');

const LINK = /^(?:.*#)?([A-Za-z0-9_-]{43})$/s;

/**
 * A link to a page of the dashboard that may be used once. The secret stands behind the #, where no request carries it: it is
 * in no log of a server, and a mail scanner that opens the link uses nothing up.
 */
export const oneTimeLink = (baseUrl: string, page: 'accept-invitation' | 'reset-password', secret: string) =>
  `${baseUrl}/dashboard/${page}#${secret}`;

/** The secret of a link, or of what stands behind its #; null for a text that can be neither. */
export const secretOf = (link: string): string | null => LINK.exec(link.trim())?.[1] ?? null;
