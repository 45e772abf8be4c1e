// npm run test:cluster [-- B1 B3 …] [-- --json]: Patroni's leader is killed, frozen and cut off under load;
// exit code 1 when an invariant breaks.
import { spawn } from 'node:child_process';
import { play } from '../failover/suite.mjs';
import { Cluster } from './cluster.mjs';
import { SCENARIOS } from './scenarios.mjs';

const LIMIT_MS = 12 * 60_000;
const INSIDE = '--inside';

/**
 * The suite runs in a network and among processes of its own: nothing outside can be reached or disturbed,
 * and whatever becomes of it, the kernel ends every process that it started. The shell is there to bury the
 * children of those that are killed.
 */
const APART = ['--net', '--pid', '--fork', '--mount-proc', '--kill-child'];
const AS_ROOT = process.getuid() === 0 ? [] : ['--user', '--map-root-user'];

function goInside() {
  const command = ['sh', '-c', '"$@"; exit $?', 'sh', process.execPath, ...process.argv.slice(1), INSIDE];
  const child = spawn('unshare', [...AS_ROOT, ...APART, ...command], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'));
  child.once('exit', (code) => process.exit(code ?? 1));
}

if (Cluster.missing.length > 0) {
  process.stderr.write(`Nothing was run: apt-get install ${Cluster.missing.join(' ')}\n`);
  process.exit(1);
}
if (!process.argv.includes(INSIDE)) goInside();
else process.exit(await play({ scenarios: SCENARIOS, create: Cluster.create, limitMs: LIMIT_MS }));
