import { RetrySchedule } from './retry-schedule.js';

const MINUTE = 60_000;

describe('RetrySchedule', () => {
  const schedule = new RetrySchedule([60, 300, 1800, 7200, 21600]);

  it('allows one attempt more than there are delays', () => {
    expect(schedule.maxAttempts).toBe(6);
    expect(new RetrySchedule([]).maxAttempts).toBe(1);
  });

  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * 60 * MINUTE],
    [5, 6 * 60 * MINUTE],
  ])('after failure %i the next attempt is %i ms later', (failures, expected) => {
    expect(schedule.retryInMs(failures)).toBe(expected);
  });

  it.each([6, 7, 1000])('gives up after failure %i', (failures) => {
    expect(schedule.retryInMs(failures)).toBeNull();
  });

  it('gives up after the first failure if there are no delays', () => {
    expect(new RetrySchedule([]).retryInMs(1)).toBeNull();
  });

  it('accepts fractions of a second', () => {
    expect(new RetrySchedule([0.05]).retryInMs(1)).toBe(50);
  });

  it.each([0, -1, 1.5, NaN])('refuses a count of %d failures', (failures) => {
    expect(() => schedule.retryInMs(failures)).toThrow(RangeError);
  });
});
