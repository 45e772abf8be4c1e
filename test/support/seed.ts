/**
 * The seed of property tests. Every `npm test` makes the same random choices, so that it does not fail by
 * chance. `npm run test:slow` makes other choices each time, and fast-check reports the seed of a failure.
 */
export const SEED = process.env.SLOW_TESTS ? undefined : 20261123;

/** How often a property is tried: a third in `npm test` of what `npm run test:slow` does. */
export const runs = (slow: number) => (process.env.SLOW_TESTS ? slow : Math.ceil(slow / 3));
