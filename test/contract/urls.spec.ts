import { routesOf } from '../support/routes.js';
import { type TestStore, useShop } from '../support/test-app.js';

/** docs/behaviour.md §1.6: what a request is made of, other than its body. */
describe('the address and the headers of a request', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const doors = () => [...routesOf(app, () => store.id), ['GET', '/nothing']];

  /** What every door answers. */
  const answers = async (query: string, headers: Record<string, string> = {}) => {
    const found = new Map<string, string[]>();
    for (const [method, path] of doors()) {
      const response = await fetch(app.url + path + query, { method, headers, redirect: 'manual' });
      const text = await response.text();
      const said = `${response.status} ${/"message":"(.*?)"\}/.exec(text)?.[1] ?? ''}`;
      found.set(said, [...(found.get(said) ?? []), path]);
    }
    return [...found.keys()];
  };

  it.each([
    ['many parameters without names', `?${'a&'.repeat(7_500)}`, 'not be longer than 8 KiB'],
    ['more than 100 parameters', `?${'&'.repeat(100)}`, 'not have more than 100 parameters'],
    ['a long path', `/${'x'.repeat(8_200)}`, 'not be longer than 8 KiB'],
  ])('is refused at every door if it has %s', async (_, query, message) => {
    expect(await answers(query)).toEqual([`400 The address of the request must ${message}`]);
  });

  it('is refused if it has more than 100 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`X-${i}`, 'x']));
    expect(await answers('', headers)).toEqual(['400 The request must not have more than 100 headers']);
  });

  it("is refused if a parameter is repeated, however it is written, except OAuth's resource", async () => {
    const at = (path: string) => fetch(app.url + path).then(({ status }) => status);
    expect(await at('/openapi.json?a=1&b=2&resource=x&resource=y')).toBe(200);
    expect(await at('/openapi.json?a=1&b=2&a=3')).toBe(400);
    expect(await at('/openapi.json?a%62=1&ab=3')).toBe(400);
    expect(await at('/oauth/authorize?scope=read&scope=write')).toBe(400);
  });

  it('is refused the same way in a form', async () => {
    const post = async (form: string) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', headers, body: form });
      return [response.status, await response.text()];
    };
    expect(await post('a&'.repeat(7_000))).toEqual([400, expect.stringContaining('100 parameters')]);
    expect(await post('code=a&code=b')).toEqual([400, expect.stringContaining('repeat the parameter')]);
  });
});
