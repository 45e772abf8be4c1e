import { randomBytes } from 'node:crypto';

export const MIN_PASSWORD = 10;

/** Beyond this a password is not looked at: hashing it would cost more than it is worth. */
export const MAX_PASSWORD = 1_000;

/** 96 random bits, without a character that a shell or an option parser would take for something else. */
export const newPassword = () => randomBytes(12).toString('hex');
