import { Refusal } from '../dashboard/api/refusal';
import { readAmounts, readNumber, toMinor } from '../dashboard/parts/inputs/amounts';
import { differences } from '../dashboard/parts/forms/differences';
import { refused } from '../dashboard/parts/forms/refused';
import { drawable, given, own, typeOf, withSlug } from '../dashboard/parts/forms/schema';
import { slugOf } from '../../packages/import/src/values/slug';
import { setTimeZone, localTime, momentsOf, utcTime } from '../dashboard/parts/values/time-zone';
import { words } from '../dashboard/words';
import { loadTexts } from './load-words';

beforeAll(() => loadTexts('en'));

describe('the form of an operation', () => {
  it('draws texts, numbers and lists of texts, but no objects and no lists of objects', () => {
    expect(drawable({ type: 'string' })).toBe(true);
    expect(drawable({ enum: ['a', 'b'] })).toBe(true);
    expect(drawable({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toBe(true);
    expect(drawable({ type: 'array', items: { type: 'string' } })).toBe(true);
    expect(drawable({ type: 'array', items: { type: 'object' } })).toBe(false);
    expect(drawable({ type: 'object' })).toBe(false);
  });

  it('takes the type of a value that may be null from its other type', () => {
    expect(typeOf({ type: ['null', 'number'] })).toBe('number');
    expect(own({ anyOf: [{ type: 'null' }, { type: 'string', maxLength: 5 }] })).toEqual({
      type: 'string',
      maxLength: 5,
    });
  });

  it('sends what was filled in of a new record', () => {
    expect(given({ name: 'Shoes', slug: '', brandId: undefined, isActive: false }, undefined)).toEqual({
      name: 'Shoes',
      isActive: false,
    });
  });

  it('sends what was changed of an existing record, and null for an emptied field', () => {
    const record = { name: 'Shoes', description: 'For feet', tags: ['a'], logoUrl: null };
    const values = { name: 'Boots', description: '', tags: ['a'], logoUrl: '' };
    expect(given(values, record)).toEqual({ name: 'Boots', description: null });
  });

  it('derives the slug of a new record from its name until the slug is edited', () => {
    const typed = withSlug({ name: 'Caf', slug: 'caf' }, { name: 'Café', slug: 'caf' }, {});
    expect(typed).toEqual({ name: 'Café', slug: 'cafe' });
    const edited = withSlug({ name: 'Café', slug: 'mine' }, { name: 'Cafés', slug: 'mine' }, {});
    expect(edited.slug).toBe('mine');
  });

  it('derives the id of a new product from its title, that of a copy once the title is another', () => {
    expect(withSlug({ title: '', productId: undefined }, { title: 'Mug', productId: undefined }, {})).toEqual(
      { title: 'Mug', productId: 'mug' },
    );
    const copy = { title: 'Mug', productId: 'mug-2', price: 1 };
    expect(withSlug(copy, { ...copy, price: 2 }, copy).productId).toBe('mug-2');
    expect(withSlug(copy, { ...copy, title: 'Blue mug' }, copy).productId).toBe('blue-mug');
  });
});

describe('what somebody else has changed meanwhile', () => {
  const rows = (yours: object, theirs: object, texts: Parameters<typeof differences>[2] = {}, decimals = 2) =>
    differences(yours as never, theirs as never, texts, decimals).map((row) =>
      Object.values(row).join(' | '),
    );

  it('is named and written as the form does, and amounts as people type them', () => {
    const texts = {
      labels: { tip: 'Largest tip' },
      choices: { kind: { a: 'First' } },
      minor: ['tip', 'tips'],
      major: ['price'],
    };
    expect(
      rows(
        {
          tip: 70_050,
          tips: [100, 250],
          price: 1200.5,
          kind: 'a',
          at: '2026-11-22T10:00:00.000Z',
          isOn: true,
        },
        { tip: 80_000, tips: [], price: null, kind: 'b', at: null, isOn: false, other: 1 },
        texts,
      ),
    ).toEqual([
      'Largest tip | 700.50 | 800.00',
      'Tips | 1.00; 2.50 | –',
      'Price | 1,200.50 | –',
      'Kind | First | b',
      'At | Nov 22, 2026, 10:00 AM | –',
      'Is on | Yes | No',
    ]);
  });

  it.each([
    [0, '1,200', '7'],
    [2, '1,200.00', '0.07'],
    [3, '1,200.000', '0.007'],
  ])('has amounts with the decimals of the currency: %i', (decimals, major, minor) => {
    const [price, tip] = rows({ price: 1200, tip: 7 }, {}, { major: ['price'], minor: ['tip'] }, decimals);
    expect([price, tip]).toEqual([`Price | ${major} | –`, `Tip | ${minor} | –`]);
  });

  it('is only the parts that differ of a field that has parts', () => {
    const level = (rate: number, name: string) => ({ rate, name });
    expect(
      rows(
        { cashback: { isOn: true, levels: [level(5, 'New'), level(7, 'Old'), level(9, 'Best')] } },
        { cashback: { isOn: true, levels: [level(5, 'New'), level(8, 'Old')] } },
        { labels: { cashback: '', rate: 'Rate' } },
      ),
    ).toEqual(['Levels 2: Rate | 7 | 8', 'Levels 3: Rate | 9 | –', 'Levels 3: Name | Best | –']);
    expect(rows({ options: [] }, { options: [{ rate: 1 }] })).toEqual(['Options 1: Rate | – | 1']);
  });
});

describe('a slug', () => {
  it.each([
    ['Café «Львів»', 'cafe-lviv'],
    ['  Щастя & Ґудзик  ', 'shchastia-gudzyk'],
    ['日本', ''],
  ])('of %s is %s', (name, slug) => expect(slugOf(name)).toBe(slug));
});

describe('amounts of money', () => {
  it('become whole minor units in spite of binary fractions', () => {
    expect(toMinor(19.99, 2)).toBe(1999);
    expect(toMinor(1.005, 3)).toBe(1005);
    expect(toMinor(500, 0)).toBe(500);
  });

  it('are several only with a sign between them that no number has', () => {
    const read = (...texts: string[]) => readAmounts(texts, 2, 'uk');
    expect(read('5, 10; 20', '1,50', '2.5')).toEqual({ amounts: [500, 1000, 2000, 150, 250], unread: [] });
    expect(readAmounts(['100, 200', '5, 5'], 2, 'en')).toEqual({ amounts: [10000, 20000, 500], unread: [] });
  });

  it('stay as they were typed if they are no amounts', () => {
    const typed = ['10,555', '1,200', '7.125', 'abc', '5,10,20', '5, free', '0', '-3'];
    expect(readAmounts(['4', ...typed], 2, 'uk')).toEqual({ amounts: [400], unread: typed });
    expect(readAmounts(['1200.5', '€5'], 0, 'en')).toEqual({ amounts: [], unread: ['1200.5', '€5'] });
  });

  it.each<[string, string, number, number | null | undefined]>([
    ['', 'en', 2, null],
    ['1200.5', 'en', 2, 1200.5],
    ['1,200.50', 'en', 2, 1200.5],
    ['1.200,50', 'uk', 2, 1200.5],
    ['1 200,50', 'uk', 2, 1200.5],
    ['1\u00a0200', 'uk', 0, 1200],
    ['1,200', 'en', 0, 1200],
    ['10,50', 'en', 2, 10.5],
    ['1,234,567', 'uk', 2, 1234567],
    ['.5', 'en', 2, 0.5],
    ['-5', 'en', 0, -5],
    ['−5', 'uk', 0, -5],
  ])('%j in %s with %i decimals is %j', (text, language, decimals, value) => {
    expect(readNumber(text, decimals, language)).toBe(value);
  });

  it.each([
    ['1200.5', 'en', 0],
    ['1,200', 'uk', 2],
    ['1.200', 'uk', 0],
    ['10.555', 'en', 2],
    ['1e3', 'en', 2],
    ['12,34,56', 'en', 2],
    ['1,2.3,4', 'en', 2],
    ['-', 'en', 2],
    ['.', 'en', 2],
    ['free', 'en', 2],
  ])('%j in %s with %i decimals is not guessed', (text, language, decimals) => {
    expect(readNumber(text, decimals, language)).toBeUndefined();
  });
});

describe('an input for a time', () => {
  afterEach(() => setTimeZone('UTC'));

  it.each([
    ['2026-03-29T00:59:00.000Z', '2026-03-29T02:59'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29T04:00'],
    ['2026-10-25T22:30:00.000Z', '2026-10-26T00:30'],
  ])("shows %s by the store's clock and gives it back unchanged", (iso, local) => {
    setTimeZone('Europe/Kyiv');
    expect(localTime(iso)).toBe(local);
    expect(utcTime(local)).toBe(iso);
  });

  it("takes a day as the store's, which may have 23 or 25 hours", () => {
    setTimeZone('Europe/Kyiv');
    expect(momentsOf('2026-03-29')).toEqual({
      first: '2026-03-28T22:00:00.000Z',
      last: '2026-03-29T20:59:59.999Z',
    });
    expect(momentsOf('2026-10-25')).toEqual({
      first: '2026-10-24T21:00:00.000Z',
      last: '2026-10-25T21:59:59.999Z',
    });
    for (const day of [undefined, '', 'tomorrow', '2026-13-01', '9999-12-31'])
      expect(momentsOf(day)).toEqual({});
  });

  it('shows UTC if the browser does not know the zone', () => {
    setTimeZone('Mars/Olympus');
    expect(localTime('2026-03-29T10:30:00.000Z')).toBe('2026-03-29T10:30');
  });

  it('is empty without one', () => {
    expect(localTime(null)).toBe('');
    expect(utcTime('')).toBeNull();
  });
});

describe('a refused form', () => {
  const refusal = (problem: string, values: object) =>
    new Refusal('invalid_input', 'as the service says it', null, null, { problem, values: { ...values } });

  it('shows each error next to its field', () => {
    const title = { problem: 'length', values: { path: 'title', min: 1, max: 200 } };
    const price = { problem: 'number', values: { path: 'price' } };
    const { of, rest } = refused(refusal('several', { problems: [title, price] }), {
      title: 'x',
      price: 'y',
    });
    expect(of('title')).toBe(words.refusals.length(1, 200));
    expect(of('price')).toBe(words.refusals.number);
    expect(rest).toBeNull();
  });

  it('shows the error of a value inside a field at that field', () => {
    const { of } = refused(refusal('url', { path: 'images[2]' }), { images: ['a', 'b', 'c'] });
    expect(of('images')).toBe(words.refusals.url);
  });

  it('says of an empty field that it is required', () => {
    expect(refused(refusal('length', { path: 'name', min: 1, max: 9 }), { name: '' }).of('name')).toBe(
      words.refusals.required,
    );
  });

  it('shows above its fields what belongs to none of them', () => {
    const conflict = new Refusal('conflict', 'a brand has this slug');
    expect(refused(conflict, { slug: 'a' }).rest).toBe('a brand has this slug');
    expect(refused(new Refusal('unreachable', ''), { slug: 'a' }).rest).toBe(words.refusals.unreachable);
    expect(refused(null, { slug: 'a' }).rest).toBeNull();
  });
});
