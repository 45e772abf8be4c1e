import { validate, version } from 'uuid';
import { newId } from './ids.js';

describe('a new id', () => {
  // Many in each millisecond.
  const ids = Array.from({ length: 5_000 }, newId);

  it('is a UUID version 7', () => {
    for (const id of ids) {
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(7);
    }
  });

  it('contains the time of its creation', () => {
    const before = Date.now();
    const at = parseInt(newId().replace('-', '').slice(0, 12), 16);
    // Five thousand ids of one clock's millisecond are one millisecond of ids.
    expect(at).toBeGreaterThanOrEqual(before - 1);
    expect(at).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('is greater than the one before, whatever the clock says', () => {
    const real = Date.now;
    try {
      Date.now = () => real() - 60_000;
      ids.push(newId(), newId());
    } finally {
      Date.now = real;
    }
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has random bits', () => {
    const tails = ids.map((id) => id.slice(-11));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
