// node test/failover/run.mjs [--json]: the primary behind HAProxy is killed under load, and its synchronous
// standby promoted; exit code 1 when an invariant breaks.
import { paced } from '../support/waiting/paced.mjs';
import { Pair } from './pair.mjs';
import { play } from './suite.mjs';
import { underLoad } from './under-load.mjs';

const LIMIT_MS = 5 * 60_000;

if (!Pair.isInstalled) {
  process.stderr.write("Debian's postgresql and haproxy are not both installed: nothing was run\n");
  process.exit(1);
}

const killed = (lab) =>
  underLoad(lab, {
    fail: async (pair) => {
      await pair.primary.kill();
      await paced(1_000);
      await pair.promote();
    },
    settleMs: 11_000,
  });

const scenarios = [{ id: 'R1', name: 'primary killed', run: killed }];
process.exit(await play({ scenarios, create: Pair.create, limitMs: LIMIT_MS }));
