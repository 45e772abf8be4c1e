/**
 * For properties: every `npm test` makes the same random choices, so that none fails by luck what another passes. `npm run test:slow`
 * makes others each time, and fast-check names the seed of what fails.
 */
export const SEED = process.env.SLOW_TESTS ? undefined : 20261123;
