/**
 * The seed of property tests. Every `npm test` makes the same random choices, so that it does not fail by
 * chance. `npm run test:slow` makes other choices each time, and fast-check reports the seed of a failure.
 */
export const SEED = process.env.SLOW_TESTS ? undefined : 20261123;
