import { neutralized } from '../../src/platform/text/formulas';
import { cut } from '../src/api/cut';
import { restored, rowsOf } from '../src/pages/products/import/csv';
import { planOf } from '../src/pages/products/import/plan';
import { loadTexts } from './load-words';

beforeAll(() => loadTexts('en'));

const HEAD =
  'id,productId,variantId,title,variant,sku,barcode,price,salePrice,currency,itemAmount,isHidden,brand';
const EXPORT = [
  HEAD,
  'p1,mug,,"\'=Mug\n2",,MUG,4820000000017,12.50,,USD,3,false,Old',
  'p2,tee,,Tee,,,,20.00,,USD,,false,',
  'p2,tee,v1,Tee,Size: M,TEE-M,,21.00,19.00,USD,7,false,',
].join('\r\n');
const known = {
  ...{ currency: 'USD', decimals: 2, language: 'en' },
  idsOf: (_: string, name: string) => ({ New: ['b1'], Two: ['b2', 'b3'] })[name] ?? [],
};
const plan = (text: string) => planOf(rowsOf(text).rows, rowsOf(EXPORT).rows, known);
const NOTHING = { differences: [], problems: [], created: [], products: [], prices: [], stocks: [] };

describe('a CSV file', () => {
  it('is read with the lines of its rows, whatever separates cells', () => {
    const { rows } = rowsOf('a;b\n"1\n2";3\n;\n4;5\n');
    expect(rows).toEqual([
      { line: 2, cells: { a: '1\n2', b: '3' } },
      { line: 5, cells: { a: '4', b: '5' } },
    ]);
    expect(rowsOf('a,b\n1,2\n"3,4').broken).toEqual([3]);
  });

  it('gets back exactly what the export put before formulas', () => {
    const texts = ['=1', "'=1", 'a;=b', ' "+1', "''@", "O'Neil", '\t=1', 'plain'];
    expect(texts.map((text) => restored(neutralized(text)))).toEqual(texts);
  });
});

describe('the import of a file', () => {
  it('of what was exported changes nothing, also as a spreadsheet writes it', () => {
    expect(plan(EXPORT)).toEqual(NOTHING);
    const written = EXPORT.replace('12.50', '12.5')
      .replaceAll('false', 'FALSE')
      .replace('Mug\n2', 'Mug\r\n2');
    expect(plan(written)).toEqual(NOTHING);
  });

  it('changes what differs, by the operation that does it', () => {
    const { prices, stocks, products, problems } = plan(
      EXPORT.replace('12.50', '13')
        .replace(',3,false,Old', ',5,true,New')
        .replace('20.00', '22')
        .replace('TEE-M', 'TEE'),
    );
    expect(problems).toEqual([]);
    expect(prices).toEqual([{ line: 2, item: { productId: 'p1', price: 13 } }]);
    expect(stocks).toEqual([{ line: 2, item: { productId: 'p1', absolute: 5 } }]);
    expect(products).toEqual([
      { line: 2, item: { id: 'p1', isHidden: true, brandId: 'b1' } },
      { line: 4, item: { id: 'p2', price: 22 } },
      { line: 5, item: { id: 'p2', variants: [{ id: 'v1', sku: 'TEE' }] } },
    ]);
  });

  it('finds a record by a code too, and takes an empty sale price for the end of the sale', () => {
    expect(plan('sku,salePrice\nTEE-M,\nMUG,9').prices).toEqual([
      { line: 2, item: { productId: 'p2', variantId: 'v1', salePrice: null } },
      { line: 3, item: { productId: 'p1', salePrice: 9 } },
    ]);
  });

  it('names each line that it leaves out', () => {
    const lines = [
      'mug,abc,,,',
      'tee,1,4.82E+12,,',
      'mug,1,,Two,',
      'mug,1,,None,',
      'none,1,,,',
      'tee,1,,,EUR',
    ];
    const { problems, ...rest } = plan(['productId,price,barcode,brand,currency', ...lines].join('\n'));
    expect(problems.map(({ line, text }) => `${line} ${text.split(':')[0]}`)).toEqual([
      '2 price',
      '3 barcode',
      '4 That line is there twice.',
      '5 That line is there twice.',
      '6 No product with this id, and no title for a new one.',
      "7 These amounts are in EUR, and the store's are not.",
    ]);
    expect(rest).toEqual({ ...NOTHING, problems: undefined });
  });

  it('makes no new product of amounts in another currency', () => {
    const head = 'productId,title,variant,price,currency,images';
    const lines = ['p3,Cup,,64,EUR,https://x/1', 'p3,Cup,Size: M,64,EUR,', 'p4,Jar,,5,USD,https://x/2'];
    const { created, problems } = plan([head, ...lines].join('\n'));
    expect(created.map(({ line }) => line)).toEqual([4]);
    const text = "These amounts are in EUR, and the store's are not.";
    expect(problems).toEqual([2, 3].map((line) => ({ line, text })));
  });
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
