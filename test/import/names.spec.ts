import { guessMapping, planOf, readTable, wrongCells } from '../../packages/import/src/import.js';
import { bytesOf, EMPTY, planFor, problemsOf, stepsOf, stored, USD, variant } from './support.js';

const COMPOSED = 'Größe';
const DECOMPOSED = 'Gro\u0308ße';

describe('names in a file are compared as the service compares them', () => {
  const cup = stored({ id: '1', productId: 'Tasse-ö', sku: 'T\u00adÖ 1', price: 5 });
  const shirt = stored({
    ...{ id: '2', productId: 'hemd', title: 'Hemd', price: 20 },
    variants: [{ ...variant('v', 'M', { sku: 'Ä-M' }), name: `${COMPOSED}: Weiß Blau` }],
  });
  const shop = { ...EMPTY, products: [cup, shirt] };

  it.each([
    ['an external id', `productId,price\nTasse-o\u0308\u200b,6`],
    ['a code', `sku,price\nTO\u0308\u00a01,6`],
  ])('%s', async (_, file) => {
    const plan = await planFor(file, { stored: shop });
    expect([problemsOf(plan), stepsOf(plan)]).toEqual([[], { prices: [{ productId: '1', price: 6 }] }]);
  });

  it.each([
    ['option and value', `productId,option,value,price\nhemd,${DECOMPOSED},Weiß\u00a0Blau,6`],
    ['a variant in one cell', `productId,variant,price\nhemd,${DECOMPOSED}: Weiß\u00a0 Blau,6`],
    ['the code of a variant', `productId,option,value,sku,price\nhemd,Farbe,x,A\u0308-M,6`],
  ])('%s', async (_, file) => {
    const plan = await planFor(file, { stored: shop });
    expect([problemsOf(plan), stepsOf(plan)]).toEqual([
      [],
      { prices: [{ productId: '2', variantId: 'v', price: 6 }] },
    ]);
  });

  it('of one file too', async () => {
    const plan = await planFor(
      `Handle,Title,Option1 Name,Option1 Value,Price,Image Src\n` +
        `\u00e4,Hemd,${COMPOSED},M,5,https://e.com/1.jpg\na\u0308,,${DECOMPOSED},L,6,\n` +
        `\u00e4,,${COMPOSED},L\u200b,7,`,
    );
    expect(problemsOf(plan)).toEqual(['2 withProduct', '3 withProduct', '4 twice']);
    const mended = await planFor(
      `parent,sku,title,option,value,price,images\n,\u00e4,Hemd,,,5,https://e.com/1.jpg\n` +
        `a\u0308,a-m,,${COMPOSED},M,5,\na\u0308,a-l,,${DECOMPOSED},L,6,`,
    );
    expect(problemsOf(mended)).toEqual([]);
    expect(mended.steps.created.map(({ item }) => item)).toMatchObject([
      {
        productId: '\u00e4',
        variants: [{ optionTitle: COMPOSED, values: [{ variantValue: 'M' }, { variantValue: 'L' }] }],
      },
    ]);
  });

  it('so that a code in another form of Unicode is no change', async () => {
    const plan = await planFor(`productId,sku\nTasse-ö,TO\u0308 1`, { stored: shop });
    expect(stepsOf(plan)).toEqual({});
  });
});

describe('the cells of a line with a problem', () => {
  it('are those that are filled, and the wrong one is marked', async () => {
    const file = bytesOf(
      'Артикул;Ціна;Ціна;Категорія;Назва;Фото\n' +
        'a;5;x;;Кружка;https://e.com/1.jpg\nb;6;;Посуд;Чашка;https://e.com/1.jpg\nc;7;8;;Ніж;;;9,5',
    );
    const table = await readTable(file);
    const mapping = guessMapping(table).with(1, null).with(2, { field: 'price' });
    const { problems } = planOf(table, mapping, EMPTY, USD);
    expect(problems).toMatchObject([
      { line: 2, column: 'Ціна', code: 'unreadable' },
      { line: 3, code: 'noPrice' },
      { line: 4, code: 'tooManyCells' },
    ]);
    const marked = wrongCells(table, mapping, problems).map((cells) =>
      cells.map(({ text, isWrong }) => (isWrong ? `>${text}<` : text)),
    );
    expect(marked).toEqual([
      ['a', '5', '>x<', 'Кружка', 'https://e.com/1.jpg'],
      ['b', '6', 'Посуд', 'Чашка', 'https://e.com/1.jpg'],
      ['c', '7', '8', 'Ніж', '>9,5<'],
    ]);
  });

  it('are named by the heading of the file, not by the field', async () => {
    const file = 'Артикул;Ціна;Категорія;Назва;Фото\nb;6;Посуд;Чашка;https://e.com/1.jpg';
    const table = await readTable(bytesOf(file));
    const { problems } = planOf(table, guessMapping(table), EMPTY, USD);
    expect(problems).toMatchObject([{ line: 2, column: 'Категорія', code: 'noSuch' }]);
    const [cells] = wrongCells(table, guessMapping(table), problems);
    expect(cells.filter(({ isWrong }) => isWrong).map(({ text }) => text)).toEqual(['Посуд']);
  });
});
