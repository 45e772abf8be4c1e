import { axe, expect, open, run, SERVICE, test, tooWide } from '../support.js';

interface Found {
  items: {
    title: string;
    price: number;
    salePrice: number | null;
    itemAmount: number | null;
    variants: { price: number }[];
  }[];
}

const COUNT = 50;

test('fifty prices are pasted, lowered by a percentage, reviewed and saved in a dozen actions', async ({
  page,
  context,
  isMobile,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tag = `sheet${Date.now()}`;
  const product = (i: number) => ({
    productId: `${tag}-${i}`,
    title: `Cup ${i}`,
    description: 'x',
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    tags: tag,
    price: 100 + i,
    itemAmount: 5,
    ...(i === 0 && {
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 7, itemAmount: 2 }] }],
    }),
  });
  const items = Array.from({ length: COUNT }, (_, i) => product(i));
  await run(page.request, 'create_products', { items });
  const found = async () => (await run<Found>(page.request, 'find_products', { text: tag, take: 100 })).items;
  const sent: string[] = [];
  page.on('request', (request) => /update_(prices|stocks)$/.test(request.url()) && sent.push(request.url()));

  await open(page, `products?text=${tag}`);
  let actions = 1;
  const act = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
  };
  await act(page.getByRole('link', { name: 'Prices and stock' }).click());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Prices and stock');
  const cells = page.getByRole('textbox', { name: /^Price: / });
  await expect(cells).toHaveCount(COUNT);
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  const copied = Array.from({ length: COUNT }, (_, i) => `$1,0${10 + i}.50`).join('\r\n');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`);
  await act(cells.first().click());
  await act(page.keyboard.press('Control+V'));
  await expect(page.getByRole('status').filter({ hasText: '50 changes' })).toBeVisible();
  await act(page.getByRole('checkbox', { name: 'Select all' }).click());
  await act(page.getByRole('button', { name: 'Change by percent' }).click());
  await act(page.getByLabel(/^Percent/).fill('-10'));
  await act(page.getByLabel('Round to').selectOption({ label: '$1.00' }));
  if (isMobile) expect(await axe(page)).toEqual([]);
  await act(page.getByRole('button', { name: 'Change 50 prices' }).click());
  await act(page.getByRole('button', { name: 'Review the changes' }).click());
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('row')).toHaveCount(COUNT + 1);
  const warning = page.getByText('Is that meant?');
  await expect(warning).toHaveCount(1);
  expect(await axe(page)).toEqual([]);
  await act(dialog.getByRole('button', { name: 'Save 50 changes' }).click());
  await expect(dialog).toHaveCount(0);
  expect(actions).toBeLessThanOrEqual(12);
  // A preview, and one call.
  expect(sent.map((url) => url.split('/').at(-1))).toEqual(['update_prices', 'update_prices']);
  await expect(cells.first()).toHaveValue('909');
  // It is not repeated in a notice, which would lie over the button.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect(warning).toHaveCount(0);
  const prices = (await found()).map(({ price, variants }) => variants[0]?.price ?? price);
  expect(prices).toEqual(Array.from({ length: COUNT }, (_, i) => Math.round((1010.5 + i) * 0.9)));

  // On a phone the notice lies over the bar until it goes. A mouse that happens to be over it would keep it.
  await page.mouse.move(0, 0);
  if (isMobile) await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  // Stock is typed down the column; what cannot be sold for nothing is refused, and the rest is saved.
  const stock = page.getByRole('textbox', { name: /^Stock: / });
  await stock.nth(0).fill('11');
  await page.keyboard.press('Enter');
  await page.keyboard.type('12');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(stock.nth(1)).toBeFocused();
  await cells.nth(2).fill('0');
  await cells.nth(3).fill('5.555');
  await page.getByRole('button', { name: 'Review the changes' }).click();
  await expect(cells.nth(3)).toBeFocused();
  await expect(cells.nth(3)).toHaveAccessibleDescription(/^Price: A number with at most 2 decimals/);
  await expect(page.getByText('Price: A number with at most 2 decimals')).toBeVisible();
  await cells.nth(3).fill('5.55');
  // An order or another person changes something meanwhile: it is shown, and nothing that is typed is lost.
  await run(page.request, 'update_stock', { productId: `${tag}-30`, absolute: 99 });
  await page.getByRole('button', { name: 'Review the changes' }).click();
  await expect(page.locator('input[value="99"]')).toHaveCount(1);
  await expect(dialog.getByText('More than 0.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save 4 changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ hasText: '1 line was not saved' })).toBeVisible();
  await expect(cells.nth(2)).toHaveAttribute('aria-invalid', 'true');
  expect(await axe(page)).toEqual([]);
  const after = await found();
  expect([after[0].itemAmount, after[1].itemAmount, after[2].price, after[3].price]).toEqual([
    11,
    12,
    prices[2],
    5.55,
  ]);
});

test('a sale gets its end with its price, and the page of the product moves it and takes it away', async ({
  page,
}) => {
  const tag = `ends${Date.now()}`;
  const images = [`${SERVICE()}/dashboard/favicon.svg`];
  const product = { productId: tag, title: 'Jug', description: 'x', images, tags: tag, price: 20 };
  await run(page.request, 'create_product', product);
  interface Sale {
    salePrice: number | null;
    saleUntil: string | null;
  }
  const sale = async () => {
    const { salePrice, saleUntil } = await run<Sale>(page.request, 'get_product', { id: tag });
    return [salePrice, saleUntil?.slice(0, 8)];
  };
  await open(page, `products?text=${tag}`);
  await page.getByRole('link', { name: 'Prices and stock' }).click();
  await page.getByRole('textbox', { name: /^Sale price: / }).fill('15');
  await page.getByRole('button', { name: 'Review the changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('The sale ends').fill('2020-01-15T10:00');
  await expect(dialog.getByText(/future/)).toBeVisible();
  await dialog.getByLabel('The sale ends').fill('2098-01-15T10:00');
  await expect(dialog.getByText(/future/)).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await sale()).toEqual([15, '2098-01-']);

  await open(page, `products/${tag}`);
  const end = page.getByLabel('The sale ends');
  await expect(end).toHaveValue('2098-01-15T10:00');
  await end.fill('2020-02-15T10:00');
  await page.getByRole('button', { name: 'Set the end' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /future/ })).toBeVisible();
  await end.fill('2098-03-15T10:00');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Set the end' }).click();
  await expect.poll(sale).toEqual([15, '2098-03-']);
  await end.fill('');
  await page.getByRole('button', { name: 'Set the end' }).click();
  await expect.poll(sale).toEqual([15, undefined]);
});
