import { loadConfig } from './config.js';
import { redisUrlProblem, sentinelUrl } from './redis-url.js';

describe('the URL of a Redis', () => {
  it('names sentinels, and the master they know', () => {
    expect(
      sentinelUrl('redis+sentinel://app:a%40b@s1,s2:26380,[::1]:26381/my%20master/3?sentinelPassword=c%26d'),
    ).toEqual({
      sentinels: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
        { host: '::1', port: 26381 },
      ],
      name: 'my master',
      db: 3,
      username: 'app',
      password: 'a@b',
      sentinelUsername: undefined,
      sentinelPassword: 'c&d',
      tls: false,
    });
    expect(sentinelUrl('rediss+sentinel://s1/mymaster')).toMatchObject({
      db: 0,
      tls: true,
      password: undefined,
    });
    expect(sentinelUrl('redis://localhost:6379')).toBeNull();
  });

  it.each([
    'redis://localhost',
    'rediss://:p@h:1/2',
    'redis+sentinel://a,b/mymaster',
    'rediss+sentinel://a:1/m/15',
  ])('is accepted: %s', (url) => expect(redisUrlProblem(url)).toBeNull());

  it.each([
    [
      'http://localhost',
      'must be an absolute redis or rediss URL, or redis+sentinel://host1:26379,host2:26379/name of the ' +
        'master',
    ],
    ['redis+sentinel://a,,b/m', 'sentinel 2 of 3 must be a host, or host:port'],
    ['redis+sentinel://a:x,b/m', 'sentinel 1 of 2 must be a host, or host:port'],
    [
      'redis+sentinel://a,b',
      'the name of the master must follow the sentinels: redis+sentinel://host1,host2/mymaster',
    ],
    [
      'redis+sentinel://a,b/m/x',
      'the number of the database must follow the name of the master: /mymaster/0',
    ],
  ])('%s is refused: %s', (url, problem) => {
    expect(redisUrlProblem(url)).toBe(problem);
    expect(() => loadConfig({ REDIS_URL: url })).toThrow(`Configuration is not valid. REDIS_URL: ${problem}`);
  });
});
