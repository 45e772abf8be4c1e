import { readBuilt } from '../../../src/doors/pages/pages.controller.js';
import { useShop } from '../../support/test-app.js';

/**
 * The files that browsers get are in test/web: here are the addresses, which are the same without a build.
 */
describe('the pages of the dashboard', () => {
  const app = useShop();
  const get = (address: string) => fetch(`${app.url}/dashboard${address}`, { redirect: 'manual' });
  const withoutNonce = (html: string) => html.replace(/(?<=name="csp-nonce" content=")[^"]*/, '');

  it.each(['', '/', '/sign-in', '/0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07/orders/1042'])(
    'are one document, also at %p',
    async (address) => {
      const response = await get(address);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const html = await response.text();
      expect(html).toContain('<title>Shop</title>');
      expect(withoutNonce(html)).toBe(withoutNonce(await (await get('/orders')).text()));
    },
  );

  it.each(['br', 'gzip'])('come compressed by %s', async (encoding) => {
    const { headers } = await fetch(`${app.url}/dashboard/`, { headers: { 'Accept-Encoding': encoding } });
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
  });

  it('explain how to build them if they are not built', () => {
    expect(readBuilt(app.url, __dirname)).toMatchObject({
      html: expect.stringContaining('npm run build'),
      assets: new Map(),
    });
  });

  it('allow only their own scripts, no frames, and styles with a nonce valid for one answer', async () => {
    const policies = await Promise.all([get('/'), get('/')]).then((all) =>
      all.map(({ headers }) => headers.get('content-security-policy')!),
    );
    const nonces = policies.map((policy) => /'nonce-([\w+/=]{24})'/.exec(policy)![1]);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(policies[0]).toMatch(/default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; /);
    expect(policies[0]).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
    expect(policies[0]).not.toContain('unsafe');
  });

  it('tell browsers how to treat a document, but not with what their script fetches', async () => {
    const named = async (destination: string) => {
      const { headers } = await fetch(`${app.url}/dashboard/api/me`, {
        headers: { 'Sec-Fetch-Dest': destination },
      });
      return ['content-security-policy', 'x-frame-options', 'x-content-type-options'].filter((name) =>
        headers.has(name),
      );
    };
    expect(await named('document')).toHaveLength(3);
    expect(await named('empty')).toEqual(['x-content-type-options']);
  });

  it.each(['/api/nothing', '/api', '/assets/old-build.js'])(
    'answer %p with a JSON refusal and never with a page',
    async (address) => {
      const response = await get(address);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ ok: false, error: { code: 'not_found' } });
    },
  );

  it('do not hide the documents of the API', async () => {
    expect((await get('/openapi.json')).headers.get('content-type')).toContain('json');
    expect(await (await get('/docs')).text()).toContain('swagger-ui');
  });
});
