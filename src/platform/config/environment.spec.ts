import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig, VARIABLES } from './config.js';
import { misspeltVariables, readEnvFile } from './environment.js';

describe('.env of the working folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'shop-env-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function read(content: string | Buffer, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    writeFileSync(path.join(folder, '.env'), content);
    readEnvFile(folder, env);
    return env;
  }

  it('may be missing', () => {
    const env = {};
    readEnvFile(folder, env);
    expect(env).toEqual({});
  });

  it('is read as people write it', () => {
    const text =
      '\ufeff# a comment\r\nPORT=4000\r\nexport HOST = 127.0.0.1 # here\n\nREDIS_URL=\nA="x # ' +
      'y"\nB=\'"\'\nC="one\ntwo"\nD=a=b';
    expect(read(text)).toEqual({
      PORT: '4000',
      HOST: '127.0.0.1',
      REDIS_URL: '',
      A: 'x # y',
      B: '"',
      C: 'one\ntwo',
      D: 'a=b',
    });
  });

  it('never replaces a variable of the environment, even an empty one', () => {
    expect(read('PORT=4000\nHOST=::1\nLOG_LEVEL=warn', { PORT: '5000', HOST: '' })).toEqual({
      PORT: '5000',
      HOST: '',
      LOG_LEVEL: 'warn',
    });
  });

  it('may be a copy of .env.example, which has every variable', () => {
    const env = read(readFileSync(path.resolve(__dirname, '../../../.env.example')));
    expect(Object.keys(env).sort()).toEqual([...VARIABLES].sort());
    expect(loadConfig(env)).toEqual(loadConfig({}));
  });

  it.each([
    ['a line without =', 'PORT=1\n\nHOST\n', 3],
    ['a name that is none', 'C="one\ntwo"\nmy port=1', 3],
    ['quotes that do not end', 'PORT=1\nKEY="abc\n', 2],
    ['text behind the quotes', 'KEY="abc" def', 1],
    ['the notation of YAML', 'PORT: 1', 1],
  ])('is refused with %s; the message names the line and does not show it', (_, text, line) => {
    expect(() => read(text)).toThrow(`${path.join(folder, '.env')}: line ${line} is not NAME=value`);
    expect(() => read(text)).not.toThrow('abc');
  });

  it('is refused if it is not UTF-8 text', () => {
    expect(() => read(Buffer.from('\ufeffPORT=4000', 'utf16le'))).toThrow(
      /\.env could not be read: it is not UTF-8 text$/,
    );
  });

  it('is refused if it cannot be read', () => {
    mkdirSync(path.join(folder, '.env'));
    expect(() => readEnvFile(folder, {})).toThrow(/\.env could not be read: EISDIR/);
  });
});

describe('a variable that looks like one of ours', () => {
  const meant = (name: string) => {
    const [hint] = misspeltVariables(VARIABLES, { [name]: 'a value' });
    expect(hint ?? '').not.toContain('a value');
    return /Did you mean (\w+)\?$/.exec(hint ?? '')?.[1];
  };

  it.each([
    ['database_url', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['REDIS_ULR', 'REDIS_URL'],
    ['Port', 'PORT'],
    ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
    ['ENCRPTION__KEY', 'ENCRYPTION_KEY'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['WEBHOOK_RETRY_DELAY', 'WEBHOOK_RETRY_DELAYS'],
    ['SHOP_ROLE', 'SHOP_ROLES'],
  ])('%s is taken for %s', (name, ours) => expect(meant(name)).toBe(ours));

  it('is told apart if it names a file for what is no secret', () =>
    expect(misspeltVariables(VARIABLES, { PORT_FILE: '/run/port' })).toEqual([
      'PORT_FILE is not read: files are read for secrets only. Set PORT',
    ]));

  it('is not found among what systems and packagers set', () => {
    const others = `PATH HOME HOSTNAME USER SHELL TERM LANG LC_ALL TZ PWD TMPDIR EDITOR LOGNAME NODE_OPTIONS
      NODE_PATH NODE_VERSION INIT_CWD XDG_DATA_DIRS XDG_DATA_HOME DATABASE_PORT DATABASE_HOST
      DATABASE_USER DB_URL REDIS_HOST REDIS_PORT REDIS_PASSWORD POSTGRES_USER POSTGRES_PASSWORD PGPORT
      PGHOST PGDATABASE SHOP_PORT SHOP_SERVICE_HOST SMTP_HOST SMTP_PORT npm_config_loglevel
      npm_lifecycle_event KUBERNETES_PORT AWS_REGION LOG_FORMAT BASE_PATH http_proxy NO_PROXY POSTS`.split(
      /\s+/,
    );
    for (const name of [...others, ...VARIABLES]) expect([name, meant(name)]).toEqual([name, undefined]);
  });
});
