import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort, WORKING_FOLDER } from '../support/servers/service-process.js';

const PROGRAM = path.resolve(__dirname, '../../dist/src/main.js');

describe('the log of the service', () => {
  let database: Record<string, string>;
  beforeAll(async () => {
    const { ownerUrl } = await preparedDatabase();
    database = { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY! };
  });

  /** All that the service prints from its start until it has been stopped. */
  async function printed(command: string[], env: Record<string, string> = {}): Promise<string> {
    const [file, ...args] = command;
    const address = { HOST: '127.0.0.1', PORT: String(await freePort()), SHUTDOWN_DELAY: '0' };
    const child = spawn(file, args, {
      cwd: WORKING_FOLDER,
      env: { PATH: process.env.PATH, TERM: 'xterm', ...database, ...address, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const closed = once(child, 'close');
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await eventually('the service is up', () => output.includes('Shop administration is up'));
    await fetch(`http://127.0.0.1:${address.PORT}/v1/list_orders`, { method: 'POST' });
    await eventually('the call is in the log', () => output.includes('list_orders'));
    process.kill(-child.pid!, 'SIGTERM');
    await closed;
    return output.replaceAll('\r\n', '\n');
  }

  const plain = [process.execPath, PROGRAM];
  /** `script` runs a command on a terminal of its own. */
  const onTerminal = ['script', '--quiet', '--flush', '--command', `exec ${plain.join(' ')}`, '/dev/null'];
  const afterGreeting = (output: string) => output.slice(output.lastIndexOf('\n\n')).trim().split('\n');

  it('is lines for a person on a terminal', async () => {
    const output = await printed(onTerminal);
    expect(output).not.toContain('{"level"');
    for (const line of afterGreeting(output)) expect(line).toMatch(/^\d\d:\d\d:\d\d (info|warn|error) +\w/);
    expect(output).toMatch(/^\d\d:\d\d:\d\d info +request .*path=\/v1\/list_orders status=401/m);
  });

  it.each([
    ['in a pipe', plain, {}],
    ['on a terminal in production', onTerminal, { NODE_ENV: 'production' }],
  ])('is lines of JSON %s', async (_, command, env) => {
    const lines = afterGreeting(await printed(command, env));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 30, msg: 'request', path: '/v1/list_orders' }),
    );
  });
});
