import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');

/**
 * Rows of the fault suite (docs/faults.md) in a shorter form: real processes, a PostgreSQL, a Redis and an
 * HAProxy of their own.
 */
describe('the service lives through', () => {
  it.each([
    ['F8', 'restarts of Redis, which fail no call'],
    ['F26', 'connections that end in every state, with nobody given a wrong answer'],
    ['F27', 'a rolling restart behind a balancer, without a failed call'],
    ['F28', 'a restart of PostgreSQL, which fails only calls that are under way'],
  ])(
    '%s: %s',
    async (id) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['test/faults/suite/run.mjs', id, '--short', '--json'],
        {
          cwd: ROOT,
        },
      ).catch((error: { stdout: string }) => error);
      const [{ verdict, broken = [] }] = JSON.parse(stdout) as { verdict: string; broken?: string[] }[];
      expect({ verdict, broken }).toEqual({
        verdict: expect.stringMatching(/^(held|not run: .* is not installed)$/),
        broken: [],
      });
    },
    240_000,
  );
});
