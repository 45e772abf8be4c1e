import { loadConfig } from './config.js';
import { databaseOf, databaseUrlProblem, hostOf, serverOf, withLogin, withRole } from './database-url.js';

const GIVEN = 'postgres://shop:a%2Cb%40c@[::1]:5433/my%20shop?target_session_attrs=read-write';
const SEVERAL =
  'names several hosts: give the address of a proxy that leads to the one that takes writes, such as HAProxy';

describe("a database's URL", () => {
  it('names its host with its port', () => {
    expect(hostOf(GIVEN)).toBe('[::1]:5433');
    expect(hostOf('postgres://localhost/shop')).toBe('localhost:5432');
    expect(hostOf('postgres:///shop?host=/run/postgresql')).toBe('');
  });

  it('is taken apart and put together again', () => {
    expect(withRole(GIVEN, 'shop_store', 'p@ss/word,')).toBe(
      'postgres://shop_store:p%40ss%2Fword%2C@[::1]:5433/my%20shop?target_session_attrs=read-write',
    );
    expect(withLogin('postgres://pooler:6432/shop', withRole(GIVEN, 'shop_store', 'p@ss'))).toBe(
      'postgres://shop_store:p%40ss@pooler:6432/shop',
    );
    expect(databaseOf(GIVEN)).toBe('my shop');
  });

  it('is of the same server, whatever the role and the database', () => {
    const server = serverOf('postgres://a:b@one/x');
    expect(serverOf('postgresql://c@one:5432/y?target_session_attrs=primary')).toBe(server);
    expect(serverOf('postgres://a:b@one:1/x')).not.toBe(server);
    expect(serverOf('postgres:///x?host=/run/one')).not.toBe(serverOf('postgres:///x?host=/run/two'));
  });

  it.each([
    GIVEN,
    'postgres://localhost/shop',
    'postgresql://u:p@h:1/d?sslmode=require',
    'postgres:///shop?host=/run/postgresql',
    'postgres://a/d?target_session_attrs=primary',
  ])('is accepted: %s', (url) => expect(databaseUrlProblem(url)).toBeNull());

  it.each([
    ['mysql://a/b', 'must be an absolute postgres or postgresql URL'],
    ['a:5432,b:5433', 'must be an absolute postgres or postgresql URL'],
    ['postgres://u:p@a:port/d', 'must be an absolute postgres or postgresql URL'],
    ['postgres://a,b/d?target_session_attrs=primary', SEVERAL],
    ['postgres://u:p@a:5432,b:5433/d', SEVERAL],
    ['postgres:///d?host=a,b', SEVERAL],
    [
      'postgres://a/d?target_session_attrs=standby',
      'target_session_attrs must be read-write or primary: the service writes',
    ],
  ])('%s is refused: %s', (url, problem) => {
    expect(databaseUrlProblem(url)).toBe(problem);
    const env = { DATABASE_URL: url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
    expect(() => loadConfig(env)).toThrow(`Configuration is not valid. DATABASE_URL: ${problem}`);
  });
});
