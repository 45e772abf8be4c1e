import { loadConfig } from './config.js';
import { redisUrlProblem } from './redis-url.js';

describe('the URL of a Redis', () => {
  it.each(['redis://localhost', 'rediss://:p@h:1/2'])('is accepted: %s', (url) =>
    expect(redisUrlProblem(url)).toBeNull(),
  );

  it.each([
    ['http://localhost', 'must be an absolute redis or rediss URL'],
    [
      'redis+sentinel://a,b/mymaster',
      'names sentinels: give the address of a proxy that leads to the master, such as HAProxy',
    ],
    ['redis://a/x', 'the number of the database must follow the host: redis://host:6379/0'],
  ])('%s is refused: %s', (url, problem) => {
    expect(redisUrlProblem(url)).toBe(problem);
    expect(() => loadConfig({ REDIS_URL: url })).toThrow(`Configuration is not valid. REDIS_URL: ${problem}`);
  });
});
