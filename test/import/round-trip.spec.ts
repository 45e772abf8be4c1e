import { guessMapping, Import, planOf, readStored, readTable } from '../../packages/import/src/import.js';
import { StorePage } from '../doors/dashboard/browser.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { bytesOf, expectAllCounted, problemsOf, stepsOf } from './support.js';

const PICTURE = 'https://images.example/a.jpg';

/** How a spreadsheet of a country writes yes and no. */
const LANGUAGES = [
  ['English', 'TRUE', 'FALSE', '.', ',', 'windows-1252'],
  ['German', 'WAHR', 'FALSCH', ',', ';', 'windows-1252'],
  ['Ukrainian', 'ІСТИНА', 'ХИБНІСТЬ', ',', ';', 'windows-1251'],
  ['Russian', 'ИСТИНА', 'ЛОЖЬ', ',', ';', 'windows-1251'],
  ['Polish', 'PRAWDA', 'FAŁSZ', ',', ';', 'windows-1250'],
] as const;

/** The cells of a CSV file whose quotes are doubled. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const quoted = (cell: string) => (/["\n;,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** As Excel and LibreOffice write what they have opened: numbers without their zeros, long ones shortened. */
function rewritten(
  text: string,
  [, yes, no, decimal, separator]: (typeof LANGUAGES)[number],
  shortens: boolean,
): string {
  const written = (cell: string) => {
    if (cell === 'true' || cell === 'false') return cell === 'true' ? yes : no;
    if (!/^\d+(\.\d+)?$/.test(cell)) return cell.replaceAll('\r\n', '\n');
    const short = String(Number(cell));
    if (short.length <= 11 || !shortens) return short.replace('.', decimal);
    return Number(cell).toExponential(5).replace('.', decimal).replace('e+', 'E+');
  };
  return cellsOf(text)
    .map((row) => row.map((cell) => quoted(written(cell))).join(separator))
    .join('\r\n');
}

/** In an encoding of one byte a letter, where it has all letters; else in UTF-8. */
function encoded(text: string, encoding: string): Uint8Array {
  const letters = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]),
  );
  const bytes = [...text].map((sign) => letters.get(sign));
  return bytes.includes(undefined) ? bytesOf(`\uFEFF${text}`) : Uint8Array.from(bytes as number[]);
}

describe('an export', () => {
  let store: TestStore;
  let owner: StorePage;
  const app = useShop();

  const call = <Result>(operation: string, input: object) => store.data(operation, input) as Promise<Result>;
  const exported = async (query = '') => {
    const response = await owner.browser.open(`stores/${store.id}/products/export.csv${query}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  };
  const planFor = async (bytes: Uint8Array, more: object = {}) => {
    const table = await readTable(bytes);
    return planOf(table, guessMapping(table), await readStored(call), {
      currency: 'USD',
      decimals: 2,
      ...more,
    });
  };

  beforeAll(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    const brand = await store.data('create_brand', { name: 'Nord, Süd & Co', slug: 'nord' });
    const above = await store.data('create_category', { name: 'Clothing', slug: 'clothing' });
    const category = await store.data('create_category', { name: 'Tees', slug: 'tees', parentId: above.id });
    const values = [
      { variantValue: 'M', price: 20.5, salePrice: 18, itemAmount: 3, sku: '0042', barcode: '0012345678905' },
      { variantValue: 'L: long', price: 1200, sku: 'TEE-L' },
    ];
    const { failed, items } = await store.data('create_products', {
      items: [
        {
          ...{
            productId: '00077',
            title: '=SUM(1)',
            description: 'One;\r\n"two"; <b>three</b>',
            price: 1234.5,
          },
          ...{ images: [PICTURE, `${PICTURE}?2`], sku: '00120', barcode: '4820000000017', tags: 'a, b' },
          ...{ brandId: brand.id, categoryId: category.id, itemAmount: 0 },
        },
        {
          productId: 'tee',
          title: 'Tee',
          description: '',
          images: [PICTURE],
          price: 20,
          variants: [{ optionTitle: 'Größe: EU', values }],
        },
      ],
    });
    expect(failed).toBe(0);
    await store.data('update_product', { id: items[0].id, isHidden: true });
    const ends = await store.data('update_prices', {
      items: [
        { productId: '00077', salePrice: 1000, saleUntil: '2100-02-28T22:30:00.125Z' },
        { sku: '0042', saleUntil: '2100-03-01T12:00:00Z' },
      ],
    });
    expect(ends.failed).toBe(0);
  });

  it('changes nothing when it is imported', async () => {
    const plan = await planFor((await exported()).bytes);
    expect([problemsOf(plan), stepsOf(plan), plan.leftOut]).toEqual([[], {}, ['updatedAt']]);
    expect(plan.counts).toMatchObject({ all: 4, unchanged: 4 });
  });

  it('with semicolons and decimal commas changes nothing either', async () => {
    const { bytes, text } = await exported('?decimalComma=true');
    expect(text).toContain(';1234,50;');
    const plan = await planFor(bytes);
    expect([problemsOf(plan), stepsOf(plan)]).toEqual([[], {}]);
  });

  it.each(
    LANGUAGES.flatMap((language) =>
      [true, false].map((shortens) => [language[0], shortens, language] as const),
    ),
  )(
    'as a spreadsheet in %s writes it again, long codes shortened: %s, changes nothing',
    async (_, shortens, language) => {
      const text = rewritten((await exported()).text, language, shortens);
      expect(text).toContain(language[1]);
      expect(text).toContain(`${language[4]}77${language[4]}`);
      const plan = await planFor(encoded(text, language[5]));
      expect([problemsOf(plan), stepsOf(plan)]).toEqual([[], {}]);
      expectAllCounted(plan);
    },
  );

  it('of one store is imported into an empty one, brands and categories with it', async () => {
    const other = await app.store();
    const there = <Result>(operation: string, input: object) =>
      other.data(operation, input) as Promise<Result>;
    const { bytes } = await exported();
    const text = new TextDecoder()
      .decode(bytes)
      .replace(/^[^\r]*/, (head) => head.replace('id,', 'old,').replace('variantId', 'oldVariant'));
    const table = await readTable(bytesOf(text));
    const settings = { currency: 'USD', decimals: 2, makesMissing: true };
    const plan = planOf(table, guessMapping(table), await readStored(there), settings);
    expect(problemsOf(plan)).toEqual([]);
    const outcome = await new Import(plan, there).run();
    expect([outcome.problems, outcome.isDone]).toEqual([[], true]);
    const [made, stored] = [await readStored(there), await readStored(call)];
    const plain = ({ products }: typeof made) =>
      products.map(({ productId, title, price, salePrice, saleUntil, images, isHidden, ...more }) => ({
        ...{ productId, title, price, salePrice, saleUntil, images, isHidden },
        ...{ sku: more.sku, barcode: more.barcode, itemAmount: more.itemAmount },
        variants: more.variants.map(({ id: _, ...variant }) => variant),
      }));
    expect(plain(made).toSorted((a, b) => a.productId.localeCompare(b.productId))).toEqual(
      plain(stored).toSorted((a, b) => a.productId.localeCompare(b.productId)),
    );
    expect([made.brands.map(({ name }) => name), made.categories.map(({ name }) => name)]).toEqual([
      ['Nord, Süd & Co'],
      ['Tees'],
    ]);
    const again = planOf(table, guessMapping(table), made, settings);
    expect(stepsOf(again)).toEqual({});
  });
});
