import { neutralized } from '../../src/platform/text/formulas.js';
import { guessMapping, mendedFile, planOf, readTable } from '../../packages/import/src/import.js';
import { cut } from '../../packages/import/src/cut.js';
import { restored } from '../../packages/import/src/values/cells.js';
import { plainText } from '../../packages/import/src/values/plain-text.js';
import {
  bytesOf,
  EMPTY,
  expectAllCounted,
  planFor,
  problemsOf,
  stepsOf,
  stored,
  USD,
  variant,
} from './support.js';

const mug = stored({ id: 'mug', sku: 'MUG', barcode: '0012345678905', price: 12.5, itemAmount: 3 });
const tee = stored({ id: 'tee', title: 'Tee', price: 20, variants: [variant('v1', 'M', { sku: 'TEE-M' })] });
const shop = { ...EMPTY, products: [mug, tee] };

/** Bytes of a text in an encoding of one byte a letter, by the letters of each. */
function encoded(text: string, encoding: string): Uint8Array {
  const letters = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from([...text].map((sign) => letters.get(sign)!));
}

describe('the rows of a file', () => {
  it.each(['\r\n', '\n', '\r'])('end at every line end, beside others: %j', async (end) => {
    const table = await readTable(bytesOf(`productId,price,title\r\nmug,10,"Mug\r\nA"${end}cup,12,Cup B\n`));
    expect(table.rows).toEqual([
      { line: 2, cells: ['mug', '10', 'Mug\nA'] },
      { line: 4, cells: ['cup', '12', 'Cup B'] },
    ]);
  });

  it.each([',', ';', '\t', '|'])('have cells between which is %j', async (sign) => {
    const text = ['sku', 'Price', 'Some other words, with a comma; and more'].join(sign);
    const quoted = sign === ',' || sign === ';' ? text.replace(/Some.*/, '"$&"') : text;
    const { delimiter, columns } = await readTable(bytesOf(`${quoted}\nMUG${sign}"1,5"${sign}x`));
    expect([delimiter, columns.length]).toEqual([sign, 3]);
  });

  it('may begin with what tells Excel their separator', async () => {
    const table = await readTable(bytesOf('sep=|\r\nsku|price\r\nMUG|1'));
    expect([table.delimiter, table.rows]).toEqual(['|', [{ line: 3, cells: ['MUG', '1'] }]]);
  });

  it('are a problem where there are more filled cells than headings', async () => {
    const plan = await planFor('sku,price,itemAmount\nMUG,12,50,3\nTEE-M,5,1,,\n', { stored: shop });
    expect(problemsOf(plan)).toEqual(['2 tooManyCells']);
    expect(plan.counts).toMatchObject({ all: 2, leftOut: 1, changed: 1 });
  });

  it('leave a field as it is where the cell is not there, and empty it where the cell is empty', async () => {
    const on = { ...shop, products: [stored({ ...mug, salePrice: 9, tags: 'a', description: 'b' })] };
    const head = 'productId,title,price,salePrice,tags,description';
    expect(stepsOf(await planFor(`${head}\nmug,Mug,10`, { stored: on }))).toEqual({
      prices: [{ productId: 'mug', price: 10 }],
    });
    expect(stepsOf(await planFor(`${head}\nmug,Mug,12.5,,,`, { stored: on }))).toEqual({
      products: [{ id: 'mug', tags: null, description: '' }],
      prices: [{ productId: 'mug', salePrice: null }],
    });
  });

  it.each([
    ['2026-12-24', '2026-12-24T22:00:00.000Z'],
    ['24.12.2026', '2026-12-24T22:00:00.000Z'],
    ['2026-12-24 18:30', '2026-12-24T16:30:00.000Z'],
    ['24.12.2026 18:30:15', '2026-12-24T16:30:15.000Z'],
    ['2026-07-01T18:30:00', '2026-07-01T15:30:00.000Z'],
    ['2026-12-24T18:30:00.250-05:00', '2026-12-24T23:30:00.250Z'],
    ['2026-12-24T18:30:00Z', '2026-12-24T18:30:00.000Z'],
    ['2026-02-30', null],
    ['tomorrow', null],
    ['2026-12-24 25:00', null],
  ])('say when a sale ends, by the clocks of the store: %s', async (cell, saleUntil) => {
    const on = { ...shop, products: [stored({ ...mug, salePrice: 9 })] };
    const plan = await planFor(`sku,Sale until\nMUG,${cell}`, { stored: on, timeZone: 'Europe/Kyiv' });
    expect([problemsOf(plan), stepsOf(plan)]).toEqual(
      saleUntil === null ? [['2 Sale until time'], {}] : [[], { prices: [{ productId: 'mug', saleUntil }] }],
    );
  });

  it('give a new sale price the end that the line names, and an ended sale none', async () => {
    const end = '2026-12-24T22:00:00.000Z';
    const on = { ...shop, products: [stored({ ...mug, salePrice: 9, saleUntil: end })] };
    const steps = async (line: string) =>
      stepsOf(await planFor(`sku,salePrice,saleUntil\n${line}`, { stored: on }));
    expect(await steps(`MUG,9,${end}`)).toEqual({});
    expect(await steps(`MUG,8,${end}`)).toEqual({
      prices: [{ productId: 'mug', salePrice: 8, saleUntil: end }],
    });
    expect(await steps('MUG,9,')).toEqual({ prices: [{ productId: 'mug', saleUntil: null }] });
    expect(await steps(`MUG,,${end}`)).toEqual({ prices: [{ productId: 'mug', salePrice: null }] });
  });

  it('of new variants need a code where their sale ends', async () => {
    const head = 'productId,title,price,salePrice,saleUntil,images,optionName1,optionValue1,sku';
    const line = (value: string, sku: string) =>
      `cap,Cap,20,15,2026-12-24T22:00:00Z,https://e.com/1.jpg,Size,${value},${sku}`;
    const plan = await planFor(`${head}\n${line('S', 'CAP-S')}\n${line('M', 'CAP-M')}`);
    expect([problemsOf(plan), stepsOf(plan).prices]).toEqual([
      [],
      ['CAP-S', 'CAP-M'].map((sku) => ({ sku, saleUntil: '2026-12-24T22:00:00.000Z' })),
    ]);
    expect(problemsOf(await planFor(`${head}\n${line('S', '')}\n${line('M', 'CAP-M')}`))).toContain(
      '2 saleUntil endNeedsCode',
    );
  });

  it.each([
    ['windows-1250', 'Nazwa;Cena\nŻółta łódka z gęsią;1'],
    ['windows-1251', 'Назва;Ціна\nҐудзик з їжаком та єнотом;1'],
    ['koi8-u', 'Назва;Ціна\nҐудзик з їжаком та єнотом;1'],
    ['windows-1252', 'Bezeichnung;Preis\nGroße Tüte für Äpfel;1'],
    ['windows-1251', 'Назва;x\nКружка;1'],
    ['utf-8', 'Назва;Ціна\nҐудзик;1'],
  ])('are read in %s', async (encoding, text) => {
    const bytes = encoding === 'utf-8' ? bytesOf(text) : encoded(text, encoding);
    const table = await readTable(bytes);
    expect(table.rows[0].cells[0]).toBe(text.split('\n')[1].split(';')[0]);
    expect((await readTable(bytes, { encoding })).readings.length > 0).toBe(encoding !== 'utf-8');
  });

  it.each([true, false])('are read in UTF-16, with its mark or without: %s', async (hasMark) => {
    const text = `${hasMark ? '\uFEFF' : ''}sku\tprice\nMUG\t5`;
    const table = await readTable(
      new Uint8Array(Uint16Array.from([...text].map((sign) => sign.charCodeAt(0))).buffer),
    );
    expect([table.encoding, table.columns[0].heading, table.rows[0].cells]).toEqual([
      'utf-16le',
      'sku',
      ['MUG', '5'],
    ]);
  });

  it('offer other encodings with the first lines, and ask where the bytes leave a doubt', async () => {
    const { readings, isEncodingSure } = await readTable(encoded('ñ;1\n', 'windows-1252'));
    expect(isEncodingSure).toBe(false);
    expect(readings.find(({ encoding }) => encoding === 'windows-1252')?.text).toContain('ñ');
    expect((await readTable(encoded('Ґудзик з їжаком;1\n', 'koi8-u'))).isEncodingSure).toBe(true);
  });
});

describe('the columns of a file', () => {
  it('are known in any case and with units, and a heading that is there twice is asked', async () => {
    const table = await readTable(
      bytesOf('SKU,Item_Amount,Price (EUR),Weight [kg],Preis,Preis\na,1,2,3,4,5'),
    );
    expect(guessMapping(table).map((target) => target && target.field)).toEqual([
      ...['sku', 'itemAmount', 'price', null, null, null],
    ]);
    const twice = await readTable(bytesOf('SKU;Preis;Preis\na;4;5'));
    expect(guessMapping(twice)).toEqual([{ field: 'sku' }, undefined, undefined]);
  });

  it('are known by their values where the heading says nothing', async () => {
    const table = await readTable(bytesOf('Titel;Link;Nr\nX;https://e.com/a.jpg;4820000000017'));
    expect(guessMapping(table)).toEqual([{ field: 'title' }, { field: 'images' }, { field: 'barcode' }]);
  });

  it('that are not read are named', async () => {
    expect((await planFor('sku,Price,Weight\nMUG,12.5,3', { stored: shop })).leftOut).toEqual(['Weight']);
  });
});

describe('the numbers of a column', () => {
  const prices = async (cells: string[], more: object = {}) => {
    const rows = cells.map((cell, i) => `P${i};T;https://e.com/${i}.jpg;${cell}`);
    const plan = await planFor(['productId;title;images;price', ...rows].join('\n'), more);
    return { plan, prices: plan.steps.created.map(({ item }) => item.price) };
  };

  it.each([
    [
      ['1.234,50', '1.250'],
      [1234.5, 1250],
    ],
    [
      ['1 234,50', '1,25', '1\u00A0000'],
      [1234.5, 1.25, 1000],
    ],
    [
      ['1,234.50', '1,250'],
      [1234.5, 1250],
    ],
    [
      ['12.5000', '1,250.0000'],
      [12.5, 1250],
    ],
    [
      ["1'234.50", '5'],
      [1234.5, 5],
    ],
    [
      ['$12.50', 'USD 7', '5.00 usd'],
      [12.5, 7, 5],
    ],
    [
      ['12,50', '3.40'],
      [12.5, 3.4],
    ],
  ])('%j are %j', async (cells, expected) => {
    expect((await prices(cells)).prices).toEqual(expected);
  });

  it('are asked where nothing tells what 1,250 is', async () => {
    const asked = await prices(['1,250', '12']);
    expect(asked.plan.doubts).toEqual([{ column: 'price', sample: '1,250' }]);
    expect((await prices(['1,250'], { decimalSign: '.' })).prices).toEqual([1250]);
    expect((await prices(['1,250'], { decimalSign: ',' })).prices).toEqual([1.25]);
    expect((await prices(['1,255'])).prices).toEqual([1255]);
  });

  it.each([
    ['12 €', 'currency'],
    ['5 грн', 'currency'],
    ['12.345,678', 'tooManyDecimals'],
    ['abc', 'unreadable'],
    ['6O', 'unreadable'],
    ['-3', 'negative'],
    ['', 'noPrice'],
  ])('refuse %j: %s', async (cell, code) => {
    const { plan } = await prices([cell, '1.000,50']);
    expect(plan.problems.map((problem) => problem.code)).toEqual([code]);
    expectAllCounted(plan);
  });
});

describe('the other cells', () => {
  it('get back exactly what the export put before formulas', () => {
    const texts = ['=1', "'=1", 'a;=b', ' "+1', "''@", "O'Neil", '\t=1', 'plain'];
    expect(texts.map((text) => restored(neutralized(text)))).toEqual(texts);
  });

  it.each(['WAHR', 'TRUE', 'ИСТИНА', 'істина', 'PRAWDA', 'tak', 'Ja', 'да', 'так', '1', 'yes', 'X'])(
    'yes: %s',
    async (cell) => {
      const plan = await planFor(`productId,isHidden\nmug,${cell}`, { stored: shop });
      expect(stepsOf(plan)).toEqual({ products: [{ id: 'mug', isHidden: true }] });
    },
  );

  it.each(['FALSCH', 'FALSE', 'ЛОЖЬ', 'ХИБНІСТЬ', 'FAŁSZ', 'nie', 'nein', 'нет', 'ні', '0', ''])(
    'no: %s',
    async (cell) => {
      expect(stepsOf(await planFor(`productId,isHidden\nmug,${cell}`, { stored: shop }))).toEqual({});
    },
  );

  it.each([
    ['https://e.com/a.jpg, https://e.com/b.jpg'],
    ['https://e.com/a.jpg,https://e.com/b.jpg'],
    ['https://e.com/a.jpg;https://e.com/b.jpg;'],
    ['https://e.com/a.jpg | https://e.com/b.jpg'],
    ['https://e.com/a.jpg\nhttps://e.com/b.jpg'],
  ])('have several pictures: %j', async (cell) => {
    const plan = await planFor(`productId\timages\nmug\t"${cell}"`, { stored: shop });
    expect(stepsOf(plan).products).toEqual([
      { id: 'mug', images: ['https://e.com/a.jpg', 'https://e.com/b.jpg'] },
    ]);
  });

  it('keep the commas of an address', async () => {
    const plan = await planFor('productId\timages\nmug\thttps://e.com/w_100,h_100/a.jpg', { stored: shop });
    expect(stepsOf(plan).products).toEqual([{ id: 'mug', images: ['https://e.com/w_100,h_100/a.jpg'] }]);
  });

  it('have codes without the marks of texts', async () => {
    const head = 'productId,sku,barcode,title,price,images';
    const plan = await planFor(`${head}\n"mug ","=""MUG""",'0012345678905,Mug,12.5,\n`, { stored: shop });
    expect([problemsOf(plan), stepsOf(plan)]).toEqual([[], {}]);
  });

  it.each(['productId', 'sku', 'barcode'])('refuse a shortened %s', async (field) => {
    const cells = { productId: 'cup', sku: 'CUP', barcode: '1', [field]: '4,82E+12' };
    const line = Object.values({ ...cells, title: 'Cup', price: '1', images: 'https://e.com/1.jpg' }).join(
      ';',
    );
    const plan = await planFor(`productId;sku;barcode;title;price;images\n${line}`, { stored: shop });
    expect(problemsOf(plan)).toEqual([`2 ${field} shortened`]);
  });

  it('ask whether a code has lost its zeros beside an existing one', async () => {
    const file = 'barcode,price\n12345678905,11';
    const asked = await planFor(file, { stored: shop });
    expect([asked.asksZeros, problemsOf(asked)]).toEqual([true, ['2 barcode zeros']]);
    const lost = await planFor(file, { stored: shop, zeros: 'lost' });
    expect(stepsOf(lost)).toEqual({ prices: [{ productId: 'mug', price: 11 }] });
    const meant = await planFor(file, { stored: shop, zeros: 'meant' });
    expect(problemsOf(meant)).toEqual(['2 unknown']);
  });

  it('have the text of a description that shoppers see', () => {
    expect(plainText('<h2>Mug</h2>\n<p>Blue&nbsp;&amp; <b>big</b><br>1 &lt; 2</p><script>x</script>')).toBe(
      'Mug\n\nBlue & big\n1 < 2',
    );
    expect(plainText('1 < 2 & 3 > 2')).toBe('1 < 2 & 3 > 2');
  });
});

describe('variants', () => {
  const HEAD = 'productId,title,option,value,price,images,sku';
  const PICTURE = 'https://e.com/1.jpg';

  it('are found in any order of lines, and added to existing products', async () => {
    const plan = await planFor(
      [
        HEAD,
        'cap,Cap,Größe: EU,S,18,,',
        `cap,Cap,,,20,${PICTURE},CAP`,
        'tee,Tee,Size,L,22,,TEE-L',
        'cap,Cap,Größe: EU,L,22,,',
      ].join('\n'),
      { stored: shop },
    );
    expect(problemsOf(plan)).toEqual([]);
    expect(stepsOf(plan)).toMatchObject({
      created: [
        {
          productId: 'cap',
          price: 20,
          variants: [
            {
              optionTitle: 'Größe: EU',
              values: [
                { variantValue: 'S', price: 18 },
                { variantValue: 'L', price: 22 },
              ],
            },
          ],
        },
      ],
      variants: [
        {
          productId: 'tee',
          variants: [{ optionTitle: 'Size', values: [{ variantValue: 'L', price: 22, sku: 'TEE-L' }] }],
        },
      ],
    });
  });

  it('written as one text are split where there is one way, or a stored one', async () => {
    const file = (text: string) => `productId,title,variant,price\ntee,Tee,${text},9`;
    expect(stepsOf(await planFor(file('Size: L'), { stored: shop })).variants).toBeDefined();
    expect(stepsOf(await planFor(file('Size: EU: 42'), { stored: shop })).variants).toMatchObject([
      { variants: [{ optionTitle: 'Size', values: [{ variantValue: 'EU: 42' }] }] },
    ]);
    expect(problemsOf(await planFor(file('Colour: dark: red'), { stored: shop }))).toEqual([
      '2 variant variant',
    ]);
  });

  it('that are wrong keep their product out, or are left out and added by the mended file', async () => {
    const lines = [
      'fix,Top,,,60,https://e.com/1.jpg,',
      'fix,Top,Size,Small,60,,',
      'fix,Top,Size,Medium,6O,,',
    ];
    const file = [HEAD, ...lines].join('\n');
    const whole = await planFor(file);
    expect([problemsOf(whole), stepsOf(whole)]).toEqual([
      ['2 withProduct', '3 withProduct', '4 price unreadable'],
      {},
    ]);
    expectAllCounted(whole);
    const without = await planFor(file, { withoutWrong: true });
    expect(stepsOf(without).created).toMatchObject([{ variants: [{ values: [{ variantValue: 'Small' }] }] }]);
    expect(without.counts).toMatchObject({ all: 3, new: 2, leftOut: 1 });

    const mended = mendedFile(await readTable(bytesOf(file)), without.problems, 'Problem').replaceAll(
      '6O',
      '60',
    );
    const made = stored({
      id: 'fix',
      title: 'Top',
      price: 60,
      images: [PICTURE],
      variants: [variant('s', 'Small', { price: 60 })],
    });
    const rest = await planFor(mended, { stored: { ...EMPTY, products: [made] } });
    expect(stepsOf(rest)).toEqual({
      variants: [
        {
          productId: 'fix',
          variants: [{ optionTitle: 'Size', values: [{ variantValue: 'Medium', price: 60 }] }],
        },
      ],
    });
  });

  it('there twice are named', async () => {
    const plan = await planFor([HEAD, 'tee,Tee,Size,L,1,,', 'tee,Tee,Size,L,2,,'].join('\n'), {
      stored: shop,
    });
    expect(problemsOf(plan)).toEqual(['2 withProduct', '3 twice']);
  });
});

describe('brands and categories', () => {
  const there = {
    ...{
      products: [stored({ id: 'mug', categoryId: 'c2' })],
      brands: [{ id: 'b1', name: 'Nord', slug: 'nord' }],
    },
    categories: [
      { id: 'c1', name: 'Clothing', slug: 'clothing', parentId: null },
      { id: 'c2', name: 'T-shirts', slug: 't-shirts', parentId: 'c1' },
      { id: 'c3', name: 'T-shirts', slug: 't-shirts-2', parentId: null },
    ],
  };

  it('are found by name and by path, and are the same where nothing differs', async () => {
    const file = 'productId,category,brand\nmug,Clothing > T-shirts,nord';
    expect(stepsOf(await planFor(file, { stored: there }))).toEqual({
      products: [{ id: 'mug', brandId: 'b1' }],
    });
  });

  it('are made when that is wanted, or else missing', async () => {
    const file = 'productId,category\nmug,Clothing > Caps > Wool';
    expect(problemsOf(await planFor(file, { stored: there }))).toEqual(['2 category noSuch']);
    const plan = await planFor(file, { stored: there, makesMissing: true });
    expect(plan.missing.categories).toEqual([
      { path: ['Clothing', 'Caps'], slug: 'clothing-caps', parentId: 'c1' },
      { path: ['Clothing', 'Caps', 'Wool'], slug: 'clothing-caps-wool' },
    ]);
    expect(plan.steps.products).toEqual([
      { lines: [2], item: { id: 'mug' }, category: ['Clothing', 'Caps', 'Wool'] },
    ]);
  });
});

it('a plan is the same whatever the choices are that nothing in the file asks', async () => {
  const table = await readTable(bytesOf('sku,price\nMUG,11'));
  const plan = planOf(table, guessMapping(table), shop, {
    ...USD,
    decimalSign: ',',
    makesMissing: true,
    zeros: 'lost',
  });
  expect(stepsOf(plan)).toEqual({ prices: [{ productId: 'mug', price: 11 }] });
});

describe('the calls of an import', () => {
  const bytesOf = (part: object[]) => Buffer.byteLength(JSON.stringify({ items: part }));

  it('have so many items at most, and at most 1 MiB, also of letters of several bytes', () => {
    const short = Array.from({ length: 250 }, (_, i) => ({ title: `Mug ${i}` }));
    expect(cut(short, 100).map(({ length }) => length)).toEqual([100, 100, 50]);
    const long = Array.from({ length: 100 }, (_, i) => ({ title: `Mug ${i}`, text: 'ї'.repeat(10_000) }));
    const parts = cut(long, 100);
    expect(parts.flat()).toEqual(long);
    expect(parts.length).toBe(3);
    expect(Math.max(...parts.map(bytesOf))).toBeLessThan(1024 * 1024);
  });

  it('have one item at least', () => {
    const huge = { text: 'x'.repeat(2_000_000) };
    expect(cut([huge, huge], 100)).toEqual([[huge], [huge]]);
    expect(cut([], 100)).toEqual([]);
  });
});
