import { randomBytes } from 'node:crypto';
import { invalidInput } from '../platform/errors.js';

export const MIN_PASSWORD = 10;

/** Beyond this a password is not looked at: hashing it would cost more than it is worth. */
export const MAX_PASSWORD = 1_000;

/** Of one that the operator gives: whoever is to sign in with it must be able to. @throws OperationError invalid_input */
export function checkPassword(password: string, name: string): void {
  if (password.length >= MIN_PASSWORD && password.length <= MAX_PASSWORD) return;
  throw invalidInput(`${name} must be a string of ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`);
}

/** 96 random bits, without a character that a shell or an option parser would take for something else. */
export const newPassword = () => randomBytes(12).toString('hex');
