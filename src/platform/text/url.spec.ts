import { parseUrl } from './url.js';

describe('parseUrl', () => {
  it.each(['https://münchen.de/straße', 'https://例え.jp/', 'postgres://user@db.example/shop'])(
    'parses %s, also after many calls',
    (text) => {
      const urls = Array.from({ length: 50_000 }, () => parseUrl(text));
      expect(urls.filter((url) => url === null).length).toBe(0);
    },
  );

  it.each(['', 'https://', '/path', 'https://a b', 'https://[::1'])('returns null for %j', (text) => {
    expect(parseUrl(text)).toBeNull();
  });
});
