import { addDays, dayAt, isTimeZone, startOfDay, yearBefore, zonedTime } from './time-zone.js';

const at = (iso: string) => new Date(iso);

describe('time zones', () => {
  it.each(['UTC', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('know %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });
  it.each(['+03:00', 'Mars/Olympus', '', 'Europe/Kyiv ', '../etc', 'Europe/'])('do not know %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it('tell the day of a moment', () => {
    expect(dayAt(at('2026-03-31T22:30:00Z'), 'Europe/Kyiv')).toBe('2026-04-01');
    expect(dayAt(at('2026-03-31T22:30:00Z'), 'America/New_York')).toBe('2026-03-31');
  });

  it.each([
    ['2026-03-29', 'Europe/Kyiv', '2026-03-28T22:00:00.000Z'],
    ['2026-03-30', 'Europe/Kyiv', '2026-03-29T21:00:00.000Z'],
    ['2026-10-26', 'Europe/Kyiv', '2026-10-25T22:00:00.000Z'],
    ['2026-05-04', 'Asia/Kathmandu', '2026-05-03T18:15:00.000Z'],
    // Midnight is skipped on this day, and in Samoa a whole day.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2026-05-04', 'UTC', '2026-05-04T00:00:00.000Z'],
  ])('begin %s in %s', (day, zone, expected) => {
    expect(startOfDay(day, zone).toISOString()).toBe(expected);
  });

  it('begin every day where the day before ends', () => {
    for (const zone of ['Europe/Kyiv', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Cairo']) {
      for (let day = '2016-01-01'; day < '2019-01-01'; day = addDays(day, 1)) {
        const start = startOfDay(day, zone);
        const before = new Date(start.getTime() - 1);
        expect([zone, dayAt(start, zone), dayAt(before, zone)]).toEqual([zone, day, addDays(day, -1)]);
      }
    }
  });

  it('write a moment with its offset', () => {
    expect(zonedTime(at('2026-05-04T09:30:00.250Z'), 'Europe/Kyiv')).toBe('2026-05-04T12:30:00.250+03:00');
    expect(zonedTime(at('2026-05-04T09:30:00Z'), 'America/St_Johns')).toBe('2026-05-04T07:00:00.000-02:30');
    expect(zonedTime(at('2026-05-04T09:30:00Z'), 'UTC')).toBe('2026-05-04T09:30:00.000Z');
  });

  it('go back a year by the local calendar', () => {
    expect(yearBefore(at('2026-03-31T21:00:00Z'), 'Europe/Kyiv').toISOString()).toBe(
      '2025-03-31T21:00:00.000Z',
    );
    expect(yearBefore(at('2026-03-29T21:00:00Z'), 'Europe/Kyiv').toISOString()).toBe(
      '2025-03-29T22:00:00.000Z',
    );
    expect(yearBefore(at('2024-02-29T12:00:00Z'), 'UTC').toISOString()).toBe('2023-02-28T12:00:00.000Z');
    // There the year 10000 has begun.
    expect(yearBefore(at('9999-12-31T23:59:59Z'), 'Pacific/Kiritimati').toISOString()).toBe(
      '9998-12-31T23:59:59.000Z',
    );
  });
});
