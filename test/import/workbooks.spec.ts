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

/** A cell of an OpenDocument table. A number is drawn in another way than it is. */
function openCell(cell: Cell): string {
  if (cell === null) return '<table:table-cell/>';
  if (typeof cell === 'number')
    return (
      `<table:table-cell office:value-type="float" office:value="${cell}">` +
      '<text:p>about that</text:p></table:table-cell>'
    );
  if (typeof cell === 'boolean')
    return (
      `<table:table-cell office:value-type="boolean" office:boolean-value="${cell}">` +
      '<text:p>WAHR</text:p></table:table-cell>'
    );
  const paragraphs = cell.split('\n').map((text) => `<text:p>${escaped(text)}</text:p>`);
  const note = '<office:annotation><text:p>A note.</text:p></office:annotation>';
  return `<table:table-cell office:value-type="string">${note}${paragraphs.join('')}</table:table-cell>`;
}

const openRow = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
const openRows = (rows: Cell[][]) => rows.map((row) => openRow(row.map(openCell).join(''))).join('');
/** LibreOffice fills sheets to their edge. */
const TO_THE_EDGE =
  '<table:table-row table:number-rows-repeated="1048570">' +
  '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>';

/** A workbook as LibreOffice writes it. @param sheets the rows of each as XML */
function openDocument(sheets: Record<string, string>, kind = 'spreadsheet'): Uint8Array {
  const tables = Object.entries(sheets).map(
    ([name, rows]) => `<table:table table:name="${name}">\n${rows}${TO_THE_EDGE}</table:table>`,
  );
  const content =
    `${XML}<office:document-content><office:body><office:spreadsheet>${tables.join('')}` +
    '</office:spreadsheet></office:body></office:document-content>';
  return zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
    'content.xml': strToU8(content),
    'settings.xml': strToU8(XML),
  });
}

describe('an OpenDocument workbook', () => {
  it('is read as others are: numbers exactly, texts whole, empty cells too', async () => {
    const bytes = openDocument({
      Notes: openRows([['About this list']]),
      Products:
        openRows([
          ['Bezeichnung', 'Artikelnummer', 'Preis', 'Bestand', 'Bild', 'Versteckt', 'Beschreibung'],
          ['Tasse', '00077', 19.989999999999998, 12, 'https://e.com/1.jpg', true, 'weiß\n& rund'],
          ['Kanne', 'K', 1250, null, 'https://e.com/2.jpg', false, null],
        ]) +
        openRow(
          openCell('Teller') +
            '<table:table-cell office:value-type="string"><text:p>T<text:s text:c="2"/>1</text:p>' +
            '</table:table-cell>' +
            '<table:table-cell table:number-columns-repeated="2" office:value-type="float"' +
            ' office:value="3"/>' +
            openCell('https://e.com/3.jpg'),
        ),
    });
    const table = await readTable(bytes);
    expect([table.sheets, table.sheet]).toEqual([['Notes', 'Products'], 'Products']);
    expect(table.rows.map(({ line, cells }) => [line, cells[6]])).toEqual([
      [2, 'weiß\n& rund'],
      [3, ''],
      [4, ''],
    ]);
    const plan = await planFor(bytes);
    expect(problemsOf(plan)).toEqual([]);
    expect(plan.steps.created.map(({ item }) => item)).toMatchObject([
      { productId: '00077', title: 'Tasse', price: 19.99, itemAmount: 12, description: 'weiß\n& rund' },
      { productId: 'K', title: 'Kanne', price: 1250 },
      { productId: 'T  1', title: 'Teller', price: 3, itemAmount: 3 },
    ]);
    expect(plan.steps.products).toMatchObject([{ item: { id: '00077', isHidden: true } }]);
  });

  it('that is no spreadsheet, or encrypted, is refused by name', async () => {
    await expect(readTable(openDocument({}, 'text'))).rejects.toMatchObject({ code: 'openDocument' });
    await expect(readTable(openDocument({}))).rejects.toMatchObject({ code: 'damaged' });
  });
});

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
    await expect(readTable(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))).rejects.toMatchObject({
      code: 'oldExcel',
    });
    await expect(readTable(Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2))).rejects.toMatchObject({ code: 'damaged' });
    await expect(readTable(new TextEncoder().encode(' \n\n'))).rejects.toMatchObject({ code: 'empty' });
  });
});
