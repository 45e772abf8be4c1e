import { parseUrl } from './url.js';

describe('parseUrl', () => {
  it.each(['https://münchen.de/straße', 'https://例え.jp/', 'postgres://user@db.example/shop'])(
    'takes %s, also when it is called so often that it is compiled',
    (text) => {
      const urls = Array.from({ length: 50_000 }, () => parseUrl(text));
      expect(urls.filter((url) => url === null).length).toBe(0);
    },
  );

  it.each(['', 'https://', '/path', 'https://a b', 'https://[::1'])('gives null for %j', (text) => {
    expect(parseUrl(text)).toBeNull();
  });
});
