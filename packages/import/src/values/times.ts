import { Unfit } from '../problem.js';

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/;
const DAY_FIRST = /^(\d\d?)\.(\d\d?)\.(\d{4})(?:,? (\d\d?):(\d\d)(?::(\d\d))?)?$/;
const DAY_MS = 24 * 3_600_000;

/**
 * The time at which something ends, as ISO 8601 in UTC; null for an empty cell. A day alone ends with its
 * last moment.
 * @param timeZone of times without a distance from UTC
 * @throws Unfit
 */
export function endOf(cell: string, timeZone: string): string | null {
  const text = cell.trim();
  if (text === '') return null;
  const parts = partsOf(text);
  if (!parts) throw new Unfit('time', cell);
  const { numbers, zone, isDay } = parts;
  const [year, month, day, hour, minute, second, milliseconds] = numbers;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const read = new Date(wall);
  const isThere =
    read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isThere) throw new Unfit('time', cell);
  if (zone !== undefined) return new Date(wall - distanceOf(zone)).toISOString();
  return new Date(instantOf(isDay ? wall + DAY_MS : wall, timeZone)).toISOString();
}

interface Parts {
  /** Year, month, day, hour, minute, second, milliseconds. */
  numbers: number[];
  /** Such as Z or +02:00. */
  zone?: string;
  /** Whether there is no time of day. */
  isDay: boolean;
}

function partsOf(text: string): Parts | null {
  const [, year, month, day, hour, minute, second, fraction = '', zone] = ISO.exec(text) ?? [];
  if (year !== undefined)
    return partsFrom([year, month, day], [hour, minute, second, fraction.padEnd(3, '0')], zone);
  const [, first, middle, last, ...time] = DAY_FIRST.exec(text) ?? [];
  return first === undefined ? null : partsFrom([last, middle, first], [...time, '0']);
}

const partsFrom = (date: string[], time: (string | undefined)[], zone?: string): Parts => ({
  numbers: [...date, ...time].map((part) => Number(part ?? 0)),
  ...(zone !== undefined && { zone }),
  isDay: time[0] === undefined,
});

/** Milliseconds of a distance from UTC. */
function distanceOf(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? ['', '+', '0', '0'];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The time at which clocks of the zone show this; read twice, since their distance may change that day. */
function instantOf(wall: number, timeZone: string): number {
  const first = wall - aheadAt(wall, timeZone);
  return wall - aheadAt(first, timeZone);
}

/** How far clocks of the zone are ahead of UTC then. */
function aheadAt(at: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(at);
  const part = (type: string) => Number(shown.find((one) => one.type === type)!.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return wall + part('second') * 1000 - Math.floor(at / 1000) * 1000;
}
