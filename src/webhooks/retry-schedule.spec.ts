import { RetrySchedule } from './retry-schedule.js';

const failedAt = new Date('2026-03-01T23:59:30.125Z');

describe('RetrySchedule', () => {
  const schedule = new RetrySchedule([60, 300, 1800, 7200, 21600]);

  it('allows one attempt more than there are delays', () => {
    expect(schedule.maxAttempts).toBe(6);
    expect(new RetrySchedule([]).maxAttempts).toBe(1);
  });

  it.each([
    [1, '2026-03-02T00:00:30.125Z'],
    [2, '2026-03-02T00:04:30.125Z'],
    [3, '2026-03-02T00:29:30.125Z'],
    [4, '2026-03-02T01:59:30.125Z'],
    [5, '2026-03-02T05:59:30.125Z'],
  ])('after failure %i the next attempt is at %s', (failures, expected) => {
    expect(schedule.nextAttemptAt(failures, failedAt)?.toISOString()).toBe(expected);
  });

  it.each([6, 7, 1000])('gives up after failure %i', (failures) => {
    expect(schedule.nextAttemptAt(failures, failedAt)).toBeNull();
  });

  it('gives up after the first failure when there are no delays', () => {
    expect(new RetrySchedule([]).nextAttemptAt(1, failedAt)).toBeNull();
  });

  it('takes fractions of a second', () => {
    expect(new RetrySchedule([0.05]).nextAttemptAt(1, failedAt)?.toISOString()).toBe('2026-03-01T23:59:30.175Z');
  });

  it('leaves the time it was given alone', () => {
    schedule.nextAttemptAt(1, failedAt);
    expect(failedAt.toISOString()).toBe('2026-03-01T23:59:30.125Z');
  });

  it.each([0, -1, 1.5, NaN])('refuses a count of %d failures', (failures) => {
    expect(() => schedule.nextAttemptAt(failures, failedAt)).toThrow(RangeError);
  });
});
