/** Whether this is `npm run test:slow`, which tries much that `npm test` tries by a plain case. */
export const isSlow = process.env.SLOW_TESTS !== undefined;

/** A test that only `npm run test:slow` runs. A plain case of what it is about runs always. */
export const itWhenSlow = isSlow ? it : it.skip;
