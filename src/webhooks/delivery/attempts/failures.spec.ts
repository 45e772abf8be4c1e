import { type Failure, FAILURES, failureOf, inEnglish } from './failures.js';

describe('why a delivery failed', () => {
  it.each(Object.keys(FAILURES) as Failure[])('is told by its text alone: %s', (failure) => {
    const value = FAILURES[failure].includes('#') ? '302' : '';
    expect(failureOf(inEnglish(failure, value))).toEqual({ failure, value });
  });

  it('is not told by any other text', () => {
    for (const text of ['', 'HTTP 503', 'connection refused there', 'answered with'])
      expect(failureOf(text)).toBeUndefined();
  });
});
