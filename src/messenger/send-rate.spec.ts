import { SendRate } from './send-rate.js';

/** A clock that advances only by sleeping. `stall` delays every waking, as a busy process does. */
function fakeTime(stall = 0) {
  let now = 0;
  const wakings: { at: number; wake: () => void }[] = [];
  return {
    elapsed: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => void wakings.push({ at: now + ms + stall, wake })),
    /** Wakes the sleepers that are due by `until`, in order. */
    async advance(until: number) {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve)); // lets woken callers go to sleep again
        wakings.sort((a, b) => a.at - b.at);
        if (wakings.length === 0 || wakings[0].at > until) break;
        const { at, wake } = wakings.shift()!;
        now = at;
        wake();
      }
      now = until;
    },
  };
}

/** The largest number of these moments within any one second. */
const busiestSecond = (moments: number[]) =>
  Math.max(...moments.map((start) => moments.filter((at) => at >= start && at < start + 1000).length));

describe('SendRate', () => {
  it('lets 25 through at once, and the next when the first is slightly more than a second old', async () => {
    const time = fakeTime();
    const rate = new SendRate(time, time);
    const passed: number[] = [];
    for (let i = 0; i < 26; i++) void rate.take('7').then(() => passed.push(time.elapsed()));
    await time.advance(1099);
    expect(passed).toHaveLength(25);
    await time.advance(1100);
    expect(passed).toHaveLength(26);
    expect(passed[25]).toBe(1100);
  });

  it.each([0, 1, 370])(
    'never lets more than 25 through in any second if wakings are %i ms late',
    async (stall) => {
      const time = fakeTime(stall);
      const rate = new SendRate(time, time);
      const passed: number[] = [];
      for (let batch = 0; batch < 20; batch++) {
        for (let i = 0; i < 11; i++) void rate.take('7').then(() => passed.push(time.elapsed()));
        await time.advance((batch + 1) * 130);
      }
      await time.advance(60_000);
      expect(passed).toHaveLength(220);
      expect(busiestSecond(passed)).toBe(25);
    },
  );

  it('sleeps again when a timer fires early', async () => {
    let now = 0;
    const clock = { elapsed: () => now };
    const rate = new SendRate(clock, { sleep: async (ms) => void (now += Math.max(1, ms - 3)) });
    for (let i = 0; i < 25; i++) await rate.take('7');
    await rate.take('7');
    expect(now).toBeGreaterThanOrEqual(1000);
  });

  it('passes callers in the order of their calls', async () => {
    const time = fakeTime();
    const rate = new SendRate(time, time);
    const order: number[] = [];
    for (let i = 0; i < 60; i++) void rate.take('7').then(() => order.push(i));
    await time.advance(5000);
    expect(order).toEqual([...Array(60).keys()]);
  });

  it('counts bots separately, and keeps the count of a busy bot while others come and go', async () => {
    const time = fakeTime();
    const rate = new SendRate(time, time);
    for (let i = 0; i < 25; i++) await rate.take('7');
    let passed = false;
    void rate.take('7').then(() => (passed = true));
    await rate.take('8');
    await time.advance(500);
    await rate.take('9');
    expect(passed).toBe(false);
    await time.advance(1100);
    expect(passed).toBe(true);
  });

  it('remembers a bot whose next caller is due but not awake yet', async () => {
    const time = fakeTime(10);
    const rate = new SendRate(time, time);
    const passed: number[] = [];
    const take = () => void rate.take('7').then(() => passed.push(time.elapsed()));
    for (let i = 0; i < 26; i++) take();
    await time.advance(1105);
    await rate.take('9');
    for (let i = 0; i < 25; i++) take();
    await time.advance(10_000);
    expect(passed).toHaveLength(51);
    expect(busiestSecond(passed)).toBe(25);
  });
});
