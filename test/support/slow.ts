/** Whether this is `npm run test:slow`, which tries much that `npm test` tries by a plain case. */
export const isSlow = process.env.SLOW_TESTS !== undefined;

/** A test that only `npm run test:slow` runs. A plain case of what it is about runs always. */
export const itWhenSlow = isSlow ? it : it.skip;
/** The same for several tests, of which none is worth its time in `npm test`. */
export const describeWhenSlow = isSlow ? describe : describe.skip;

/**
 * The seed of property tests. Every `npm test` makes the same random choices, so that it does not fail by
 * chance. `npm run test:slow` makes other choices each time, and fast-check reports the seed of a failure.
 */
export const SEED = isSlow ? undefined : 20261123;

/** How often a property is tried: a third in `npm test` of what `npm run test:slow` does. */
export const runs = (slow: number) => (isSlow ? slow : Math.ceil(slow / 3));
