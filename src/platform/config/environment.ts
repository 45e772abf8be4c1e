import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { parseEnv } from 'node:util';
import { editDistance } from '../text/edit-distance.js';
import { type Config, ConfigurationError, KNOWN_VARIABLES, loadConfig } from './config.js';

/** One `NAME=value` per line. Only a quoted value may span several lines. A `#` begins a comment. */
const ASSIGNMENT = new RegExp(
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*/.source +
    /(?:"[^"]*"|'[^']*'|`[^`]*`|[^\s"'`][^\n]*)?[ \t]*(?:#.*)?$/.source,
  'gm',
);
const COMMENT = /^[ \t]*#.*$/gm;
/** One typing error is tolerated for every this many letters. */
const LETTERS_A_SLIP = 7;

/**
 * The configuration of this process, from the environment and from `.env` in the working folder. Variables
 * that look misspelt are reported on standard error.
 * @throws ConfigurationError
 */
export function readConfig(at: Pick<NodeJS.Process, 'env' | 'cwd'> & { stderr: Writable } = process): Config {
  readEnvFile(at.cwd(), at.env);
  for (const hint of misspeltVariables(KNOWN_VARIABLES, at.env)) at.stderr.write(`${hint}\n`);
  return loadConfig(at.env);
}

/**
 * Adds the variables of `.env` in `folder` to the environment. A variable that is already set, even to
 * nothing, takes precedence.
 * @throws ConfigurationError if the file cannot be read, or has a line that is not an assignment
 */
export function readEnvFile(folder = process.cwd(), env: NodeJS.ProcessEnv = process.env): void {
  const file = path.join(folder, '.env');
  const text = readTextFile(file)?.replaceAll('\r\n', '\n');
  if (text === undefined) return;
  const rest = text.replace(ASSIGNMENT, linesOf).replace(COMMENT, '');
  const line = rest.split('\n').findIndex((left) => left.trim() !== '') + 1;
  if (line > 0)
    throw new ConfigurationError(
      `${file}: line ${line} is not NAME=value; a value with quotes must end with the same`,
    );
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

/**
 * Finds unknown variables that look like a misspelt one of `known`: another letter case, an underscore too
 * many or too few, or a typing error. Returns a sentence for each, without its value.
 */
export function misspeltVariables(known: readonly string[], env: NodeJS.ProcessEnv = process.env): string[] {
  const plain = (name: string) => name.toUpperCase().replaceAll('_', '');
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name)) return [];
    const [, ofFile] = /^(.+)_FILE$/.exec(name) ?? [];
    if (ofFile !== undefined && known.includes(ofFile))
      return [`${name} is not read: files are read for secrets only. Set ${ofFile}`];
    const meant = known.find((candidate) => {
      const slips = Math.max(1, Math.floor(plain(candidate).length / LETTERS_A_SLIP));
      // Most names already differ too much in length, and computing every distance takes a while.
      const more = Math.abs(plain(name).length - plain(candidate).length);
      return more <= slips && editDistance(plain(name), plain(candidate)) <= slips;
    });
    return meant ? [`${name} is not a variable of the service and is not read. Did you mean ${meant}?`] : [];
  });
}

/** The text of a file; undefined if there is no such file. */
function readTextFile(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigurationError(
      `${file} could not be read: ` +
        `${code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : message}`,
    );
  }
}

/** Removes the text but keeps the line feeds, so that the numbers of later lines stay right. */
const linesOf = (match: string) => match.replace(/[^\n]+/g, '');
