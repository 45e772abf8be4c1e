import { groupProblem } from './registry.js';

describe('a group of stores', () => {
  const group = { name: 'a', database: 'postgres://db/shop', address: 'https://a.shops.example' };

  it.each([
    [{}, null],
    [{ name: 'C' }, 'name must be'],
    [{ name: 'a.b' }, 'name must be'],
    [{ database: 'mysql://localhost/shop' }, 'database: must be an absolute postgres'],
    [{ address: 'https://b.shops.example' }, 'must begin with the name, as in a.shops.example'],
    [{ address: 'https://a.shops.example/x' }, 'without a path'],
    [{ address: 'ftp://a.shops.example' }, 'an http or https URL'],
    [{ address: 'a.shops.example' }, 'an http or https URL'],
  ])('with %j', (change, problem) => {
    const found = groupProblem({ ...group, ...change });
    expect(found).toEqual(problem === null ? null : expect.stringContaining(problem));
  });
});
