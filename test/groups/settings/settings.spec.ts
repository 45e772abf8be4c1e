import { Settings } from '../../../src/groups/settings/settings.service.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const DEFAULTS = {
  title: '',
  name: 'Tea house',
  description: '',
  keywords: '',
  logoUrl: '',
  darkLogoUrl: '',
  currency: 'EUR',
  updatedAt: null,
};
const SET = {
  title: 'Tea & more',
  name: 'The tea house',
  description: 'Teas of all kinds',
  keywords: 'tea, cups',
  logoUrl: 'https://images.example/logo.png',
  darkLogoUrl: 'http://images.example/dark.png?v=2',
};

describe('settings', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store({ name: 'Tea house', currency: 'EUR' });
  });

  it("answers the store's name and currency while nothing is set, also after an empty update", async () => {
    expect(await store.data('get_settings', {}, { scope: 'read' })).toEqual(DEFAULTS);
    expect(await store.data('update_general', {}, { scope: 'write' })).toEqual(DEFAULTS);
  });

  it('stores every setting', async () => {
    const updated = await store.data('update_general', SET);
    expect(updated).toEqual({ ...SET, currency: 'EUR', updatedAt: expect.any(String) });
    expect(await store.data('get_settings')).toEqual(updated);
  });

  it.each(Object.keys(SET))('changes %s alone, to empty, and keeps the others', async (name) => {
    await store.data('update_general', SET);
    const expected = { ...SET, [name]: '', currency: 'EUR', updatedAt: expect.any(String) };
    expect(await store.data('update_general', { [name]: '' })).toEqual(expected);
    expect(await store.data('get_settings')).toEqual(expected);
  });

  it('keeps what is unset null around the first update', async () => {
    expect(await store.data('update_general', { title: 'T' })).toEqual({
      ...DEFAULTS,
      title: 'T',
      updatedAt: expect.any(String),
    });
  });

  it('lets both of two concurrent updates last', async () => {
    let second: Promise<any>;
    await store.inside(async (ctx) => {
      await app.nest.get(Settings).updateGeneral(ctx, { title: 'first' });
      second = store.data('update_general', { keywords: 'second' });
      await waitsForLock(ctx);
    });
    await second!;
    expect(await store.data('get_settings')).toMatchObject({ title: 'first', keywords: 'second' });
  });

  it('are stored separately for each store', async () => {
    await store.data('update_general', SET);
    const other = await app.store({ name: 'Other', currency: 'XTR' });
    expect(await other.data('get_settings')).toEqual({ ...DEFAULTS, name: 'Other', currency: 'XTR' });
  });

  const texts: [string, number][] = [
    ['title', 200],
    ['name', 200],
    ['description', 2000],
    ['keywords', 500],
  ];
  const accepted: [string, string][] = [
    // The second is as long in characters and twice as long in UTF-16 units.
    ...texts.flatMap(([name, max]): [string, string][] => [
      [name, 'x'.repeat(max)],
      [name, '🫖'.repeat(max)],
      [name, ''],
    ]),
    ...['logoUrl', 'darkLogoUrl'].flatMap((name): [string, string][] => [
      [name, ''],
      [name, 'http://a.example'],
      [name, `https://a.example/${'x'.repeat(2048 - 18)}`],
    ]),
  ];
  it.each(accepted.map(([name, value]) => [name, value.slice(0, 30), value]))(
    'accepts %s %j',
    async (name, _, value) => {
      expect(await store.data('update_general', { [name]: value })).toEqual({
        ...DEFAULTS,
        [name]: value,
        updatedAt: expect.any(String),
      });
    },
  );

  const refused: [string, unknown][] = [
    ...texts.flatMap(([name, max]): [string, unknown][] =>
      ['x'.repeat(max + 1), null, 5, true, [], {}].map((value) => [name, value]),
    ),
    ...['logoUrl', 'darkLogoUrl'].flatMap((name): [string, unknown][] =>
      [
        null,
        5,
        [],
        ' ',
        'logo.png',
        '/logo.png',
        '//a.example/x',
        'ftp://a.example/x',
        'javascript:alert(1)',
        'tg://x',
        'https://',
        'https://a b',
      ].map((value) => [name, value]),
    ),
    ['currency', 'USD'],
    ['theme', {}],
  ];
  it.each(refused.map(([name, value]) => [name, JSON.stringify(value).slice(0, 30), value]))(
    'refuses %s %s',
    async (name, _, value) => {
      const { status, body } = await store.call('update_general', { title: 'T', [name as string]: value });
      expect(status).toBe(400);
      expect(body.error).toEqual({
        code: 'invalid_input',
        message: expect.stringMatching(new RegExp(`^${name as string} `)),
      });
      expect(await store.data('get_settings')).toEqual(DEFAULTS);
    },
  );

  it('needs the write scope to update, and takes no input to get', async () => {
    expect((await store.call('update_general', SET, { scope: 'read' })).status).toBe(403);
    expect((await store.call('get_settings', { title: 'T' })).status).toBe(400);
    expect(await store.data('get_settings')).toEqual(DEFAULTS);
  });
});
