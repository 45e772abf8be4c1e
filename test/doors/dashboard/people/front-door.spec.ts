import { type TestApp, useShop } from '../../../support/test-app.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the bare address', () => {
  const app = useShop();
  const below = useShop({ env: { BASE_URL: 'https://example.com/shops/' } });

  const get = (of: TestApp, accept?: string, method = 'GET') =>
    fetch(`${of.url}/`, {
      method,
      redirect: 'manual',
      headers: accept === undefined ? {} : { Accept: accept },
    });

  it('leads a browser to the dashboard, below the path of the public address', async () => {
    for (const [of, location] of [
      [app, '/dashboard'],
      [below, '/shops/dashboard'],
    ] as const) {
      const response = await get(of, BROWSER);
      expect([response.status, response.headers.get('location')]).toEqual([302, location]);
      expect(response.headers.get('vary')).toMatch(/Accept/);
    }
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png'])(
    'answers 404 to programs, as at any other path: %s',
    async (accept) => {
      const response = await get(app, accept);
      expect(response.status).toBe(404);
      expect(await response.text()).toBe(
        '{"ok":false,"error":{"code":"not_found","message":"There is nothing at this path"}}',
      );
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const elsewhere = await fetch(`${app.url}/nothing`, { headers: { Accept: accept ?? '*/*' } });
      expect(await elsewhere.text()).toBe(
        '{"ok":false,"error":{"code":"not_found","message":"There is nothing at this path"}}',
      );
    },
  );

  it('does not redirect a POST request', async () => {
    const response = await get(app, BROWSER, 'POST');
    expect(response.status).toBe(404);
  });
});
