import { loadConfig } from './config.js';

describe('BASE_URL', () => {
  it.each([
    [undefined, 'http://localhost:3000'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example/admin/', 'https://shop.example/admin'],
    // As clients spell it after they have parsed it: they compare addresses letter by letter.
    ['HTTPS://Shop.Example:443/Admin', 'https://shop.example/Admin'],
  ])('%p is kept as %s', (given, kept) => {
    expect(loadConfig({ BASE_URL: given }).baseUrl).toBe(kept);
  });

  it.each([
    ['shop.example', 'must be an absolute http or https URL'],
    ['ftp://shop.example', 'must be an absolute http or https URL'],
    ['https://shop.example/?shop=1', 'must end with the host or a path, without ? and #'],
    ['https://shop.example?', 'must end with the host or a path, without ? and #'],
    ['https://shop.example/#a', 'must end with the host or a path, without ? and #'],
    ['https://ann:secret@shop.example', 'must not contain a user name or password'],
  ])('%s is refused', (given, problem) => {
    const load = () => loadConfig({ BASE_URL: given });
    expect(load).toThrow(`Configuration is not valid. BASE_URL: ${problem}`);
    expect(load).not.toThrow('secret');
  });
});
