import { zipSync, strToU8 } from 'fflate';
import { readTable } from '../../packages/import/src/import.js';
import { EMPTY, planFor, problemsOf, stepsOf, stored } from './support.js';

type Cell = string | number | boolean | null;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function cellXml(cell: Cell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

const sheetXml = (rows: Cell[][]) => {
  const lines = rows.map((row, i) => {
    const cells = row.map((cell, j) => cellXml(cell, `${String.fromCharCode(65 + j)}${i + 1}`));
    return `<row r="${i + 1}">${cells.join('')}</row>`;
  });
  return `${XML}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
};

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const XML = '<?xml version="1.0"?>';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const relationships = (all: string) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all}</Relationships>`;
const sheetRelation = (n: number) =>
  `<Relationship Id="rId${n}" Type="${REL}/worksheet" Target="worksheets/sheet${n}.xml"/>`;

/** A workbook as Excel writes it, with the parts that every one has. */
function workbook(sheets: Record<string, Cell[][]>): Uint8Array {
  const names = Object.keys(sheets);
  const each = (write: (name: string, n: number) => string) =>
    names.map((name, i) => write(name, i + 1)).join('');
  return zipSync({
    '[Content_Types].xml': strToU8(
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      relationships(`<Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/>`),
    ),
    'xl/workbook.xml': strToU8(
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets>` +
        each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`) +
        '</sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(relationships(each((_, n) => sheetRelation(n)))),
    'xl/styles.xml': strToU8(
      `${XML}<styleSheet xmlns="${MAIN}"><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, strToU8(sheetXml(sheets[name]))]),
    ),
  });
}

describe('a workbook', () => {
  it('is read by the sheet whose headings are known, its numbers exactly', async () => {
    const bytes = workbook({
      Notes: [['About this list'], ['x']],
      Products: [
        ['Bezeichnung', 'Artikelnummer', 'Preis', 'Bestand', 'EAN', 'Bild', 'Versteckt'],
        ['Tasse', '00077', 19.989999999999998, 12, 4820000000017, 'https://e.com/1.jpg', true],
        ['Kanne', 'K & 1', 1250, null, null, 'https://e.com/2.jpg', false],
        ['Teller', 'T', 1.125, 1, null, 'https://e.com/3.jpg', null],
      ],
    });
    const table = await readTable(bytes);
    expect([table.sheets, table.sheet]).toEqual([['Notes', 'Products'], 'Products']);
    const plan = await planFor(bytes);
    expect(problemsOf(plan)).toEqual(['4 Preis tooManyDecimals']);
    expect(stepsOf(plan)).toEqual({
      created: [
        {
          ...{ productId: '00077', title: 'Tasse', description: '', images: ['https://e.com/1.jpg'] },
          ...{ price: 19.99, itemAmount: 12, sku: '00077', barcode: '4820000000017' },
        },
        {
          productId: 'K & 1',
          title: 'Kanne',
          description: '',
          images: ['https://e.com/2.jpg'],
          price: 1250,
          sku: 'K & 1',
        },
      ],
      products: [{ id: '00077', isHidden: true }],
    });
    expect((await readTable(bytes, { sheet: 'Notes' })).columns.map(({ heading }) => heading)).toEqual([
      'About this list',
    ]);
  });

  it('has empty cells that empty a field', async () => {
    const there = { ...EMPTY, products: [stored({ id: 'mug', sku: 'MUG', salePrice: 9 })] };
    const bytes = workbook({
      Sheet1: [
        ['sku', 'salePrice', 'x'],
        ['MUG', null, 'y'],
      ],
    });
    expect(stepsOf(await planFor(bytes, { stored: there }))).toEqual({
      prices: [{ productId: 'mug', salePrice: null }],
    });
  });

  it('of another kind, damaged or empty is refused by name', async () => {
    const ods = zipSync({
      mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
    });
    await expect(readTable(ods)).rejects.toMatchObject({ code: 'openDocument' });
    await expect(readTable(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))).rejects.toMatchObject({
      code: 'oldExcel',
    });
    await expect(readTable(Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2))).rejects.toMatchObject({ code: 'damaged' });
    await expect(readTable(new TextEncoder().encode(' \n\n'))).rejects.toMatchObject({ code: 'empty' });
  });
});
