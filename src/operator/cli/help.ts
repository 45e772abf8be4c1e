import { existsSync, readFileSync } from 'node:fs';
import { editDistance } from '../../platform/text/edit-distance.js';
import { type Declarations, UsageError } from './command.js';
import { commandsAbout } from './commands.js';

/** One typing error is tolerated for every this many letters. */
const LETTERS_A_SLIP = 4;

/**
 * What the build has written of all commands (scripts/build.mjs), because loading their code takes longer
 * than anything that a command does.
 */
const BUILT = new URL('../../commands.json', import.meta.url);

export async function declarations(): Promise<Declarations> {
  if (existsSync(BUILT)) return JSON.parse(readFileSync(BUILT, 'utf8')) as Declarations;
  return declarationsOf(await commandsAbout());
}

const declarationsOf = (commands: Declarations): Declarations =>
  Object.fromEntries(
    Object.entries(commands).map(([name, { summary, options }]) => [name, { summary, options }]),
  );

/** The words before the options. */
export function commandWords(args: string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return end < 0 ? args : args.slice(0, end);
}

export const beginningWith = (words: string[], commands: Declarations): Declarations =>
  Object.fromEntries(
    Object.entries(commands).filter(([name]) =>
      `${name} `.startsWith(words.map((word) => `${word} `).join('')),
    ),
  );

/**
 * The error for an unknown command. It names the nearest one, or lists those that begin with the same word;
 * without any word it lists all.
 */
export async function noSuchCommand(words: string[]): Promise<UsageError> {
  const all = await declarations();
  if (words.length === 0) return new UsageError(`A command has to come first. Commands:\n${usage(all)}`);
  const given = words.join(' ');
  const alike = beginningWith(words.slice(0, 1), all);
  const meant = nearest(given, ['help', '--version', ...Object.keys(all)]);
  return new UsageError(
    `There is no such command: ${given}. ` +
      (meant === null ? '' : `Did you mean ${meant}? `) +
      (Object.keys(alike).length > 0 ? `Commands:\n${usage(alike)}` : 'shop help lists all commands'),
  );
}

/** The candidate with the fewest typing errors; null if there are too many in each. */
export function nearest(given: string, candidates: string[]): string | null {
  const [best] = candidates
    .map((name) => ({ name, slips: editDistance(given, name) }))
    .sort((a, b) => a.slips - b.slips);
  return best && best.slips <= Math.max(1, Math.floor(best.name.length / LETTERS_A_SLIP)) ? best.name : null;
}

/** Options as `help --json` prints them. */
export const toHelp = ([name, { options, summary }]: [string, Declarations[string]]) => ({
  command: name,
  summary,
  options: options.map(({ name: option, value = null, required = false }) => ({
    option: `--${option}`,
    value,
    required,
  })),
});

export function usage(commands: Declarations): string {
  return Object.entries(commands)
    .map(([name, { options, summary }]) => {
      const flags = options.map((option) => {
        const flag = `--${option.name}${option.value ? ` ${option.value}` : ''}`;
        return option.required ? flag : `[${flag}]`;
      });
      return `  shop ${[name, ...flags].join(' ')} [--json]\n      ${summary}`;
    })
    .join('\n');
}
