import { randomBytes } from 'node:crypto';
import { invalidInput } from '../../platform/errors.js';

export const MIN_PASSWORD = 10;

/** A longer password is refused, because hashing it would cost too much. */
export const MAX_PASSWORD = 1_000;

/**
 * Checks a password that the operator gives, so that it can be used to sign in. @throws OperationError
 * invalid_input
 */
export function checkPassword(password: string, name: string): void {
  if (password.length >= MIN_PASSWORD && password.length <= MAX_PASSWORD) return;
  throw invalidInput(`${name} must be a string of ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`);
}

/** 96 random bits, without characters that have a meaning in a shell or an option parser. */
export const newPassword = () => randomBytes(12).toString('hex');
