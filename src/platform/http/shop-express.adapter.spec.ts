import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { RouteTable } from './shop-express.adapter.js';

const server = express();
server.set('case sensitive routing', true);
const table = new RouteTable();
server.use(table.lookUp);
server.use('/guarded', (_request, response) => void response.send('a guard'));
const answer = (app: Express, method: 'get' | 'post' | 'all', path: string, text: string) =>
  app[method](
    path,
    (request, response) => void response.send(`${text} at ${(request.route as { path: string }).path}`),
  );
answer(server, 'post', '/v1/get_order', 'the order');
answer(server, 'post', '/v1/get_order', 'another order');
answer(server, 'get', '/v1/get_order', 'a page');
answer(server, 'get', '/guarded/page', 'never');
answer(server, 'post', '/v1/:name', 'any');
answer(server, 'post', '/v1/late', 'late');
answer(server, 'all', '/all', 'all');
answer(server, 'get', '/all', 'never');
server.get('/fails', () => Promise.reject(new Error('failed')));
server.use(
  (error: Error, _request: express.Request, response: express.Response, next: express.NextFunction) => {
    if (response.headersSent) return next(error);
    response.status(500).send(error.message);
  },
);
const http = server.listen(0, '127.0.0.1');
let root = '';

beforeAll(async () => {
  table.read(server.router as unknown as Parameters<RouteTable['read']>[0]);
  if (!http.listening) await once(http, 'listening');
  root = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => http.close());

const ask = async (method: string, path: string) => {
  const response = await fetch(root + path, { method });
  return `${response.status} ${await response.text()}`;
};

describe('RouteTable', () => {
  it.each([
    ['POST', '/v1/get_order', '200 the order at /v1/get_order'],
    ['POST', '/v1/get_order?tools=orders', '200 the order at /v1/get_order'],
    ['GET', '/v1/get_order', '200 a page at /v1/get_order'],
    ['HEAD', '/v1/get_order', '200 '],
    ['POST', '/v1/get_order/', '200 the order at /v1/get_order'],
    ['POST', '/v1/GET_ORDER', '200 any at /v1/:name'],
    ['POST', '/v1/other', '200 any at /v1/:name'],
    // What is declared first answers first, as without the table.
    ['POST', '/v1/late', '200 any at /v1/:name'],
    ['GET', '/all', '200 all at /all'],
    ['GET', '/guarded/page', '200 a guard'],
    ['GET', '/fails', '500 failed'],
  ])('answers %s %s as Express does', async (method, path, expected) => {
    expect(await ask(method, path)).toBe(expected);
  });

  it('finds a fixed path without trying one route after the other', async () => {
    const tried: string[] = [];
    const { stack } = server.router as unknown as {
      stack: { route?: { path: string }; match(path: string): unknown }[];
    };
    for (const layer of stack) {
      const { match, route } = layer;
      layer.match = (path) => (route && tried.push(route.path), match.call(layer, path));
    }
    await ask('POST', '/v1/get_order');
    expect(tried).toEqual([]);
    await ask('POST', '/v1/other');
    expect(tried).toContain('/v1/:name');
  });
});
