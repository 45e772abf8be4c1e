import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalidInput } from '../../platform/errors.js';

export const MIN_PASSWORD = 12;

/** A longer password is refused, because hashing it would cost too much. */
export const MAX_PASSWORD = 1_000;

/**
 * The beginning of a password that is judged. The estimate takes longer than its square, and a password whose
 * beginning is good enough is good enough.
 */
const JUDGED = 32;
/** The zxcvbn score out of 4 that withstands a hundred million guesses. */
const LEAST_SCORE = 3;
const SUBSTITUTIONS_TRIED = 20;
/** Words that somebody who knows this service would try, beside those of the judge's own list. */
const EXPECTED_WORDS = ['пароль', 'chatshop', 'chat', 'shop', 'admin'];
/** The most digits and marks that people put after a word to please a rule. */
const SHORT_TAIL = 8;

const CYRILLIC = 'йцукенгшщзхїъфівыапролджєэячсмитьбюґё';
/** The keys that those letters stand on, in the same order. */
const KEYS = "qwertyuiop[]]asdsfghjkl;''zxcvbnm,.\\`";

let judge: Promise<ZxcvbnFactory> | undefined;

/** Loads the common passwords when it is first called, which takes a tenth of a second. */
export const passwordJudge = (): Promise<ZxcvbnFactory> => (judge ??= load());

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS_TRIED,
  });
}

/** A text, and what the same keys type without Cyrillic letters, in which the judge sees words and rows. */
const spellings = (text: string) => [
  text,
  text.replace(/[а-яіїєґё]/giu, (letter) => KEYS[CYRILLIC.indexOf(letter.toLowerCase())]),
];

/** Whether it is one word that people choose, and a few digits and marks, which the judge rates too high. */
function isWordWithTail(password: string, own: string[], judge: ZxcvbnFactory): boolean {
  const word = password.replace(/\P{L}+$/u, '');
  if (password.length > JUDGED || password.length - word.length > SHORT_TAIL) return false;
  return spellings(word).some((text) => {
    const { sequence } = judge.check(text, own);
    return sequence.length === 1 && sequence[0].pattern === 'dictionary';
  });
}

/**
 * Checks a password that somebody chooses: its length, and that it is not one that others would try, such as
 * a common password, the address, or one character again and again (docs/behaviour.md §12).
 * @param name the field, for the message
 * @throws OperationError invalid_input
 */
export async function checkPassword(password: string, email: string, name: string): Promise<void> {
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
    throw invalidInput(`${name} must be a string of ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`).about(
      'length',
      { path: name, min: MIN_PASSWORD, max: MAX_PASSWORD },
    );
  const own = [email, ...email.split(/[@.+_-]/), ...EXPECTED_WORDS].filter((word) => word.length > 2);
  const judge = await passwordJudge();
  const isHard = (text: string) => judge.check(text, own).score >= LEAST_SCORE;
  if (spellings(password.slice(0, JUDGED)).every(isHard) && !isWordWithTail(password, own, judge)) return;
  throw invalidInput(
    `${name} is too easy to guess: common passwords, keyboard rows, years, repetitions and your e-mail ` +
      'address are tried first; a few unrelated words are a good password',
  ).about('easy_password', { path: name });
}

/**
 * What a hash by argon2id costs: 19 MiB (in KiB), gone through twice. No configuration changes it; only tests
 * do, which make thousands of accounts.
 */
export const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string | Buffer): Promise<string> => hash(password, HASHING);

/**
 * A hash that no password has. Verifying it takes as long as any other. It is not computed, because that
 * would take as long too, at each start of a process or command.
 */
export function decoyHash(): string {
  const { memoryCost, timeCost, parallelism } = HASHING;
  const [salt, sum] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${sum}`;
}

/** 96 random bits, without characters that have a meaning in a shell or an option parser. */
export const newPassword = () => randomBytes(12).toString('hex');
