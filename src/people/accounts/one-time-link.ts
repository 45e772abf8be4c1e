import { randomBytes } from 'node:crypto';

/** 256 random bits. Their SHA-256 is stored, which is enough for a random value. */
export const newSecret = () => randomBytes(32).toString('base64url');

const LINK = /^(?:.*#)?([A-Za-z0-9_-]{43})(?:\.([A-Za-z0-9_-]{43}))?$/s;

/**
 * A link to a page of the dashboard that can be used once. The secret follows the #, so no request contains
 * it: it does not appear in server logs, and a mail scanner that opens the link does not use it up.
 */
export const oneTimeLink = (baseUrl: string, page: 'accept-invitation' | 'reset-password', secret: string) =>
  `${baseUrl}/dashboard/${page}#${secret}`;

/** The link as it is sent by e-mail: a second secret, which is shown nowhere else, proves the address. */
export const mailedLink = (link: string, proof: string) => `${link}.${proof}`;

/** The second secret of a link that came by e-mail. */
export const proofOf = (link: string): string | null => LINK.exec(link.trim())?.[2] ?? null;

/** The secret in a link, or in the part after its #; null for text that is neither. */
export const secretOf = (link: string): string | null => LINK.exec(link.trim())?.[1] ?? null;
