import { pino } from 'pino';

interface Line {
  level: number;
  time: string;
  msg?: string;
  err?: { message?: string; code?: string; stack?: string };
  [field: string]: unknown;
}

/** A character that would move the cursor of a terminal, or end the line. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const LONGEST_LEVEL = 5;

/** A line of JSON as one line for a person at a terminal: `14:03:07 warn  the disk is full free=0`. */
export function readable(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const parts = [
    new Date(time).toTimeString().slice(0, 8),
    (pino.levels.labels[level] ?? String(level)).padEnd(LONGEST_LEVEL),
    msg,
    ...(err ? [`${err.message ?? ''}${err.code ? ` (${err.code})` : ''}${placeOf(err.stack)}`] : []),
    ...Object.entries(fields).map(([name, value]) => `${name}=${valueOf(value)}`),
  ];
  return `${parts.join(' ').replace(CONTROL, escape)}\n`;
}

/** Where an error comes from: the first line of its stack that names a file. */
function placeOf(stack = ''): string {
  const [, place] = /^ +(at .*)$/m.exec(stack) ?? [];
  return place === undefined ? '' : ` ${place}`;
}

const valueOf = (value: unknown) =>
  typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);

const escape = (character: string) => JSON.stringify(character).slice(1, -1).replace(CONTROL, toCode);
const toCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
