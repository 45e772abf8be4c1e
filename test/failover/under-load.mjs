// Two processes of the service under load while the database's primary changes; the same invariants whoever
// manages the cluster.
import { paced } from '../support/waiting/paced.mjs';
import { INTERNAL_ERROR, Unavailable, WHILE_AWAY } from '../../dist/src/platform/errors.js';
import { underWay } from '../faults/suite/limits.mjs';
import { Calls } from './calls.mjs';

/**
 * So long after the promotion every call succeeds, in milliseconds; a tenth of it is what a balancer would
 * notice too.
 */
const BOUND_MS = 10_000;
/**
 * No call waits for longer, whatever becomes of it: what the pool waits for a connection, twice, and some.
 */
const LONGEST_MS = 25_000;
const FAILURES = [
  INTERNAL_ERROR,
  ...Object.values(WHILE_AWAY).map((message) => new Unavailable(message)),
].map((error) => JSON.stringify(error.envelope()));

/**
 * @param options.fail makes the primary fail, and resolves at the moment another one takes writes
 * @param options.afterwards what happens under load after that @returns what is wrong by then
 * @param options.env where the processes look for the database, if not at the one of the lab
 */
export async function underLoad(lab, { fail, afterwards = async () => [], settleMs = 12_000, env }) {
  const size = { stores: 10, orders: 10, roles: 'web,deliver', deliverers: 0, env };
  return lab.stage(size, async (stage) => {
    const second = await stage.startBoth();
    const calls = new Calls(stage, [stage.web, second]);
    const { writer, stores } = stage;
    let promotedAt = Infinity;
    const problems = [];
    await calls.during(async () => {
      await paced(2_000);
      await fail(lab.postgres);
      promotedAt = performance.now();
      await paced(settleMs);
      problems.push(...(await afterwards(lab.postgres)));
    });
    await stage.quiet();
    const { firstMs, late, slowest } = calls.since(promotedAt, BOUND_MS);
    for (const [what, ms] of Object.entries(firstMs))
      if (!(ms <= BOUND_MS)) problems.push(`${what} succeeded first after ${ms} ms`);
    if (late.length > 0)
      problems.push(
        `${late.length} calls failed later than ${BOUND_MS} ms after the promotion: ${late[0].text}`,
      );
    if (slowest > LONGEST_MS) problems.push(`a call took ${slowest} ms`);
    const unclear = calls.failed.filter(({ text }) => !FAILURES.includes(text));
    if (unclear.length > 0)
      problems.push(`${unclear.length} calls failed without a clear answer: ${unclear[0].text}`);
    problems.push(...(await calls.keyedProblems(lab)));
    if (![stage.web, second].every(({ running }) => running)) problems.push('a process ended');
    const verdict = await stage.verdict({ repeats: underWay(2, stores), problems });
    return {
      ...verdict,
      'calls right': calls.right,
      'calls failed': calls.failed.length,
      'first write after': `${firstMs.write} ms`,
      'first read after': `${firstMs.read} ms`,
      'slowest call': `${slowest} ms`,
      received: verdict.received,
      acknowledged: writer.acknowledged.length,
    };
  });
}
