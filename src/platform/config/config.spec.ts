import { loadConfig } from './config.js';

const ROOT = 'must end with the host or a path, without ? and #';
const NO_LOGIN = 'must not contain a user name or password';
const SENDER = 'must be an e-mail address, or Name <address>';
const PRODUCTION = 'must be written production, in small letters and whole';

describe('a variable', () => {
  it('HOST is this machine alone beside the embedded database, unless it is said', () => {
    const outside = { DATABASE_URL: 'postgres://a:b@db.example/shop', ENCRYPTION_KEY: 'A'.repeat(43) + '=' };
    expect(loadConfig({}).host).toBe('127.0.0.1');
    expect(loadConfig({ HOST: '' }).host).toBe('127.0.0.1');
    expect(loadConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
    expect(loadConfig(outside).host).toBe('0.0.0.0');
  });

  it.each([
    ['MESSENGER_API_ROOT', 'api.example', 'must be an absolute http or https URL'],
    ['MESSENGER_API_ROOT', 'https://api.example?bot=1', ROOT],
    ['MESSENGER_API_ROOT', 'https://u:secret@api.example', NO_LOGIN],
    ['UPLOADS_S3_ENDPOINT', 'https://s3.example/#a', ROOT],
    ['UPLOADS_PUBLIC_URL', 'https://images.example/?a', ROOT],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318?a', ROOT],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an absolute http or https URL'],
    ['SMTP_URL', 'smtp://', 'must name the host of the mail server'],
    ['SMTP_URL', 'smtp:mail.example', 'must name the host of the mail server'],
    ['SMTP_FROM', 'a@b.example, c@d.example', SENDER],
    ['SMTP_FROM', '<a@b.example', SENDER],
    ['SMTP_FROM', 'a@b.example>', SENDER],
    ['SUPPORT_CONTACT', 'javascript:alert(1)', 'must be an e-mail address or a web address'],
    [
      'REDIS_URL',
      'redis://localhost:6379/first',
      'the number of the database must follow the host: redis://host:6379/0',
    ],
    ['NODE_ENV', 'Production', PRODUCTION],
    ['NODE_ENV', 'production ', PRODUCTION],
    ['NODE_ENV', 'prod', PRODUCTION],
  ])('%s=%s is refused, by its name and without its value', (name, value, problem) => {
    const load = () => loadConfig({ [name]: value });
    expect(load).toThrow(`Configuration is not valid. ${name}: ${problem}`);
    expect(load).not.toThrow('secret');
  });

  it.each([
    ['MESSENGER_API_ROOT', 'http://127.0.0.1:8081/'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:password@collector:4318/otlp'],
    ['SMTP_URL', 'smtps://user:p%40ss@mail.example:465?requireTLS=true'],
    ['SMTP_FROM', 'The Shops, all of them <shops@shop.example>'],
    ['SMTP_FROM', '<shops@shop.example>'],
    ['SUPPORT_CONTACT', 'https://shop.example/help'],
    ['SUPPORT_CONTACT', 'help@shop.example'],
    ['REDIS_URL', 'redis://:p@localhost:6379/3?family=6'],
    ['NODE_ENV', 'staging'],
  ])('%s=%s is accepted', (name, value) => {
    expect(() => loadConfig({ [name]: value })).not.toThrow();
  });
});
