import { billingPeriod } from './billing-period.js';

const period = (startedAt: string, at: string) => {
  const { start, end } = billingPeriod(new Date(startedAt), new Date(at));
  return `${start.toISOString()} ${end.toISOString()}`;
};
const days = (start: string, end: string) => `${start}T00:00:00.000Z ${end}T00:00:00.000Z`;

describe('billingPeriod', () => {
  it.each([
    ['at the very start', '2026-03-10T15:30:00Z', '2026-03-10T15:30:00Z', '2026-03-10', '2026-04-10'],
    [
      'just before the period ends',
      '2026-03-10T15:30:00Z',
      '2026-04-09T23:59:59.999Z',
      '2026-03-10',
      '2026-04-10',
    ],
    ['when the next begins', '2026-03-10T15:30:00Z', '2026-04-10T00:00:00Z', '2026-04-10', '2026-05-10'],
    ['over the end of a year', '2025-12-15T00:00:00Z', '2026-01-01T00:00:00Z', '2025-12-15', '2026-01-15'],
    [
      'in a month without the day',
      '2026-01-31T08:00:00Z',
      '2026-02-28T00:00:00Z',
      '2026-02-28',
      '2026-03-31',
    ],
    [
      'before a month without the day',
      '2026-01-31T08:00:00Z',
      '2026-02-27T23:59:59Z',
      '2026-01-31',
      '2026-02-28',
    ],
    ['in a leap year', '2024-01-31T08:00:00Z', '2024-03-01T00:00:00Z', '2024-02-29', '2024-03-31'],
    [
      'back at the day after a short month',
      '2026-01-31T08:00:00Z',
      '2026-04-30T12:00:00Z',
      '2026-04-30',
      '2026-05-31',
    ],
    ['from 29 February', '2024-02-29T12:00:00Z', '2025-02-28T00:00:00Z', '2025-02-28', '2025-03-29'],
  ])('%s', (_, startedAt, at, start, end) => {
    expect(period(startedAt, at)).toBe(days(start, end));
  });

  it('has no gaps or overlaps', () => {
    const startedAt = '2023-08-31T10:00:00Z';
    let { end } = billingPeriod(new Date(startedAt), new Date(startedAt));
    for (let i = 0; i < 60; i++) {
      const next = billingPeriod(new Date(startedAt), end);
      expect(next.start).toEqual(end);
      expect(billingPeriod(new Date(startedAt), new Date(end.getTime() - 1)).end).toEqual(end);
      end = next.end;
    }
    expect(end.toISOString()).toBe('2028-09-30T00:00:00.000Z');
  });
});
