import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { newStore } from '../new-store.js';
import { axe, expect, SERVICE, test, tooWide } from '../support.js';

/** Cyrillic letters in Windows-1251; what else the files have is ASCII. */
function windows1251(text: string): Buffer {
  const byte = (point: number) => {
    if (point < 0x80) return point;
    return point === 0x456 ? 0xb3 : point - 0x350;
  };
  return Buffer.from([...text].map((letter) => byte(letter.codePointAt(0)!)));
}

// Small letters alone are letters in KOI8-U too, so that only a person can tell.
const HEADINGS = 'артикул;назва;категорія;ціна;ціна;кількість;вага;фото';
const PICTURE = () => `${SERVICE()}/dashboard/favicon.svg`;
const fileOf = (...lines: string[]) => windows1251([HEADINGS, ...lines, ''].join('\r\n'));

async function choose(page: Page, buffer: Buffer) {
  await page.locator('input[type=file]').setInputFiles({ name: 'price.csv', mimeType: '', buffer });
}
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();
const problems = (page: Page) => page.getByRole('alert').filter({ hasText: 'left out' });

async function stored(page: Page, store: string, id: string) {
  const path = `/dashboard/api/stores/${store}/operations/get_product`;
  return ((await (await page.request.post(path, { data: { id } })).json()) as { data: object }).data;
}

test('a price list of another program is imported by answering what it leaves open', async ({ page }) => {
  const store = await newStore(page.request);
  await page.goto(`/dashboard/${store}/products/import`);
  await choose(
    page,
    fileOf(
      `t-1;кружка біла;посуд > кружки;1,250;1,500;5;0,3;${PICTURE()}`,
      't-2;кружка синя;посуд > кружки;2,500;3,000;багато;0,3;',
      't-3;чайник;посуд;12,750;13,500;7;1,2;',
    ),
  );
  await expect(page.getByText('Choose what makes the first lines readable.')).toBeVisible();
  await page.getByLabel('Letters').selectOption('koi8-u');
  await expect(page.getByText('кружка біла', { exact: false })).toHaveCount(0);
  await page.getByLabel('Letters').selectOption('windows-1251');
  await expect(page.locator('pre')).toContainText('кружка біла');
  const prices = page.getByLabel('ціна');
  await expect(page.getByText('This heading is there twice: which one counts?')).toHaveCount(2);
  await expect(page.getByLabel('назва')).toHaveValue('title');
  await expect(page.getByLabel('вага')).toHaveValue('');
  await goOn(page);
  await expect(page.getByText('Choose one.')).toHaveCount(2);
  await prices.first().selectOption('Price');
  await prices.last().selectOption('Leave out');
  expect(await axe(page)).toEqual([]);
  await goOn(page);

  await expect(page.getByText('Not read: ціна, вага.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  await page.getByLabel('What is 1,250?').selectOption('The comma separates decimals');
  await expect(problems(page)).toContainText('Line 2: категорія: There is none named посуд > кружки.');
  await page.getByLabel(/^Make 2 categories/).check();
  await page.getByLabel('Picture for new products that have none').fill(PICTURE());
  await page.getByLabel('Picture for new products that have none').blur();
  await expect(page.getByText('3 lines: 2 new, 1 left out.')).toBeVisible();
  const wrong = problems(page).getByRole('listitem');
  await expect(wrong).toHaveText(/^Line 3: кількість: “багато” is no number\./);
  await expect(wrong.locator('mark')).toHaveText('багато');
  await expect(page.getByRole('region', { name: 'New products' })).toContainText('1.25 EUR, 5 pieces');
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);

  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(page.getByRole('status').getByText('2 lines are imported.')).toBeVisible();
  const { id: cups } = (await find(page, store, 'list_categories', 'кружки'))!;
  const kettles = (await find(page, store, 'list_categories', 'посуд'))!;
  expect(await stored(page, store, 't-1')).toMatchObject({
    ...{ title: 'кружка біла', price: 1.25, itemAmount: 5, images: [PICTURE()] },
    categoryId: cups,
  });
  expect(await stored(page, store, 't-3')).toMatchObject({
    ...{ title: 'чайник', price: 12.75, itemAmount: 7, categoryId: kettles.id },
  });

  const download = page.waitForEvent('download');
  await problems(page).getByRole('button', { name: 'Download' }).click();
  const mended = readFileSync(await (await download).path(), 'utf8');
  expect(mended.split('\r\n')[0]).toBe(`\uFEFFProblem;${HEADINGS}`);
  // What was chosen holds for the lines that were left, though they have a column more.
  await choose(page, Buffer.from(mended.replace(';багато;', ';9;')));
  await expect(prices.first()).toHaveValue('price');
  await expect(prices.last()).toHaveValue('');
  await goOn(page);
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status').getByText('1 line is imported.')).toBeVisible();
  expect(await stored(page, store, 't-2')).toMatchObject({
    ...{ title: 'кружка синя', price: 2.5, itemAmount: 9, categoryId: cups, images: [PICTURE()] },
  });
});

test('what was chosen is remembered for files with the same headings', async ({ page }) => {
  const store = await newStore(page.request);
  await page.goto(`/dashboard/${store}/products/import`);
  await choose(page, fileOf(`t-1;кружка;;1,250;1,500;5;важка;${PICTURE()}`));
  await page.getByLabel('ціна').first().selectOption('Leave out');
  await page.getByLabel('ціна').last().selectOption('Price');
  await page.getByLabel('вага').selectOption('Tags');
  await goOn(page);
  await page.getByLabel('What is 1,500?').selectOption('The comma separates decimals');
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status').getByText('1 line is imported.')).toBeVisible();

  await page.reload();
  await choose(page, fileOf('t-1;кружка;;2,250;2,500;6;легка;'));
  await expect(page.getByLabel('ціна').first()).toHaveValue('');
  await expect(page.getByLabel('ціна').last()).toHaveValue('price');
  await expect(page.getByLabel('вага')).toHaveValue('tags');
  await goOn(page);
  await expect(page.getByLabel('What is 1,250?')).toHaveValue(',');
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status').getByText('1 line is imported.')).toBeVisible();
  expect(await stored(page, store, 't-1')).toMatchObject({ price: 2.5, itemAmount: 6, tags: 'легка' });

  // Other headings are asked.
  await choose(page, windows1251('артикул;ціна;ціна\r\nt-1;1;2\r\n'));
  await expect(page.getByText('This heading is there twice: which one counts?')).toHaveCount(2);
});

async function find(page: Page, store: string, operation: string, name: string) {
  const path = `/dashboard/api/stores/${store}/operations/${operation}`;
  const answer = (await (await page.request.post(path, { data: {} })).json()) as {
    data: { items: { id: string; name: string }[] };
  };
  return answer.data.items.find((item) => item.name === name);
}
