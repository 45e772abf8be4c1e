import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

/** Two real clusters behind a real HAProxy, two processes of the service under load. */
describe('when the primary behind a proxy is killed and its standby promoted', () => {
  it('nothing acknowledged is lost, and calls succeed again within 10 s', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['test/failover/run.mjs', '--json'],
      {
        cwd: ROOT,
      },
    ).catch((error: { stdout: string; stderr: string }) => error);
    const [row] = JSON.parse(stdout || '[{}]') as { verdict?: string; lost?: number; broken?: string[] }[];
    expect({ stderr: row.verdict === 'held' ? '' : stderr, ...row }).toMatchObject({
      stderr: '',
      verdict: 'held',
      lost: 0,
      broken: [],
    });
  }, 240_000);
});
