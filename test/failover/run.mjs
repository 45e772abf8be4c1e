// npm run test:failover [-- R1 R2 …] [-- --json] [-- --short]: a primary and its synchronous standby under
// load; exit code 1 when an invariant breaks.
import { Pair } from './pair.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { play } from './suite.mjs';

const LIMIT_MS = 5 * 60_000;

if (!Pair.isInstalled) {
  process.stderr.write("Debian's postgresql is not installed: nothing was run\n");
  process.exit(1);
}
process.exit(await play({ scenarios: SCENARIOS, create: Pair.create, limitMs: LIMIT_MS }));
