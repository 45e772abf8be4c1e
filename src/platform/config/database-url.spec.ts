import { loadConfig } from './config.js';
import {
  databaseOf,
  databaseUrlProblem,
  hostsOf,
  serverOf,
  withHost,
  withLogin,
  withRole,
} from './database-url.js';

const SEVERAL =
  'postgres://shop:a%2Cb%40c@one.example,[::1]:5433,10.0.0.3:5434/my%20shop?target_session_attrs=read-write';

describe("a database's URL", () => {
  it('names its hosts, each with its port', () => {
    expect(hostsOf(SEVERAL)).toEqual(['one.example:5432', '[::1]:5433', '10.0.0.3:5434']);
    expect(hostsOf('postgres://localhost/shop')).toEqual(['localhost:5432']);
    expect(hostsOf('postgres:///shop?host=/run/postgresql')).toEqual(['']);
  });

  it('is taken apart and put together again', () => {
    expect(withHost(SEVERAL, '[::1]:5433')).toBe(
      'postgres://shop:a%2Cb%40c@[::1]:5433/my%20shop?target_session_attrs=read-write',
    );
    expect(withRole(SEVERAL, 'shop_store', 'p@ss/word,')).toBe(
      'postgres://shop_store:p%40ss%2Fword%2C@one.example,[::1]:5433,10.0.0.3:5434/my%20shop?target_session_attrs=read-write',
    );
    expect(withRole('postgres://a:b@h:1/x?sslmode=disable', 'c', 'd')).toBe(
      'postgres://c:d@h:1/x?sslmode=disable',
    );
    expect(withLogin('postgres://pooler:6432/shop', withRole(SEVERAL, 'shop_store', 'p@ss'))).toBe(
      'postgres://shop_store:p%40ss@pooler:6432/shop',
    );
    expect(databaseOf(SEVERAL)).toBe('my shop');
  });

  it('is of the same server, whatever the role and the database', () => {
    const server = serverOf('postgres://a:b@one:1,two:2/x');
    expect(serverOf('postgresql://c@one:1,two:2/y?target_session_attrs=primary')).toBe(server);
    expect(serverOf('postgres://a:b@one:1/x')).not.toBe(server);
    expect(serverOf('postgres:///x?host=/run/one')).not.toBe(serverOf('postgres:///x?host=/run/two'));
  });

  it.each([
    SEVERAL,
    'postgres://localhost/shop',
    'postgresql://u:p@h:1/d?sslmode=require',
    'postgres:///shop?host=/run/postgresql',
    'postgres://a,b/d?target_session_attrs=primary',
  ])('is accepted: %s', (url) => expect(databaseUrlProblem(url)).toBeNull());

  it.each([
    ['mysql://a/b', 'must be an absolute postgres or postgresql URL'],
    ['a:5432,b:5433', 'must be an absolute postgres or postgresql URL'],
    ['postgres://u:p@a:port/d', 'must be an absolute postgres or postgresql URL'],
    ['postgres://a,,b/d', 'host 2 of 3 is empty; several hosts are written host1:5432,host2:5432'],
    ['postgres://a,b:0/d', 'the port of host 2 of 2 must be a number from 1 to 65535'],
    ['postgres://a:5432x,b/d', 'the port of host 1 of 2 must be a number from 1 to 65535'],
    ['postgres://a, b/d', 'host 2 of 2 is not a host name or address'],
    ['postgres://a,b,a:5432/d', 'host 3 of 3 is named twice'],
    ['postgres:///d?host=a,b', 'several hosts stand between @ and /, not in a parameter'],
    [
      'postgres://a,b/d?target_session_attrs=any',
      'target_session_attrs must be read-write or primary: the service writes',
    ],
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
