import path from 'node:path';
import { axe, expect, open, ordersIn, run, test } from '../support.js';

test.use({ locale: 'uk-UA' });

type Words = { [name: string]: Words | string | ((...values: never[]) => string) };
const wordsOf = async (language: string) => {
  const [first, rest] = await Promise.all(
    [`${language}.ts`, `${language}/rest.ts`].map(
      async (file) =>
        (await import(path.resolve(import.meta.dirname, `../../../web/dashboard/words/${file}`))) as {
          default: Words;
        },
    ),
  );
  return { ...first.default, ...rest.default };
};

/** English texts that have a Ukrainian one; those that take a number or a name apart. */
function translated(english: Words, ukrainian: Words): string[] {
  return Object.entries(english).flatMap(([name, text]) => {
    const other = ukrainian[name];
    if (typeof text === 'object') return translated(text, other as Words);
    return typeof text === 'string' && text !== other ? [text] : [];
  });
}

const PAGES = [
  'overview',
  'orders',
  'orders/ship',
  'products',
  'products/prices',
  'products/import',
  'categories',
  'customers',
  'checkout',
  'monetization',
  'settings',
  'bot',
];
/** Words are longer here; colours and roles are those that the other tests judge. */
const JUDGED = ['overview', 'orders', 'monetization', 'webhooks'];

test('shortcuts work with a Ukrainian keyboard', async ({ page, isMobile }) => {
  test.skip(isMobile, 'there is no keyboard');
  await open(page, 'brands');
  // The driver has no layouts: what such a keyboard sends for the keys of G, O and K.
  const press = (key: string, code: string, ctrlKey = false) =>
    page.locator('body').dispatchEvent('keydown', { key, code, ctrlKey });
  // On a busy machine the second key may come too late to belong to the first.
  await expect(async () => {
    await press('п', 'KeyG');
    await press('щ', 'KeyO');
    await expect(page).toHaveURL(/\/orders$/, { timeout: 1_000 });
  }).toPass();
  await press('л', 'KeyK', true);
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
});

test('a reader of Ukrainian reads Ukrainian', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the words are the same');
  const english = new Set(translated(await wordsOf('en'), await wordsOf('uk')));
  expect(english.size).toBeGreaterThan(500);
  // What the shop itself has written stays as it is.
  const own = JSON.stringify(await run(page.request, 'get_checkout', {}));
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  for (const address of [
    ...PAGES,
    `orders/${items[0].id}`,
    'campaigns/new',
    'webhooks',
    'members',
    'security',
    'notices',
    'audit',
  ]) {
    await open(page, address);
    await expect(page.locator('html')).toHaveAttribute('lang', 'uk');
    if (JUDGED.includes(address)) expect(await axe(page), address).toEqual([]);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const read = await page.evaluate<string[]>(`[
      ...document.body.innerText.split('\\n'),
      ...[...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap((one) =>
        ['aria-label', 'placeholder', 'title', 'alt'].map((name) => one.getAttribute(name) ?? '')),
    ].map((text) => text.trim())`);
    expect([address, ...read.filter((text) => english.has(text) && !own.includes(text))]).toEqual([address]);
  }
  // The service says it in English why buttons cannot open the shop.
  await open(page, 'bot');
  await expect(page.locator('#page')).toContainText('Месенджер відкриває лише адреси https.');
  await expect(page.locator('#page')).not.toContainText('The messenger');
  await open(page, `orders/${items[0].id}`);
  // The letters of both languages, and the currency's sign, are drawn with the pages' own font.
  const fonts = `[...document.fonts].filter((one) => one.family === 'Onest').map((one) => one.status)`;
  await expect.poll(() => page.evaluate<string[]>(fonts)).toEqual(['loaded', 'loaded', 'unloaded']);
  await page.evaluate(`document.querySelector('h1').append('1 200 ₴')`);
  await expect.poll(() => page.evaluate<string[]>(fonts)).toEqual(['loaded', 'loaded', 'loaded']);
  const history = page.locator('.timeline');
  await expect(history).toContainText(/одиниц[яіь] на/);
  await expect(history).not.toContainText(/Placed|pieces?|became|attempt|delivered/);
});

test('what the service warns of and refuses is said in Ukrainian', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the words are the same');
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', {
    ...{ statuses: ['PENDING'], take: 2 },
  });
  const [refunded, deleted] = items;
  await open(page, `orders/${refunded.id}`);
  await page.getByRole('button', { name: 'Дії', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Повернення' }).click();
  await page.getByLabel(/^Сума/).fill('99999');
  await page.getByRole('dialog').getByRole('button', { name: 'Повернення' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Сума більша за вартість замовлення' }),
  ).toContainText(/\d,\d\d/);
  await open(page, 'orders?status=PENDING');
  await page.getByRole('checkbox', { name: new RegExp(`Замовлення ${deleted.id}$`) }).check();
  await run(page.request, 'delete_order', { orderId: deleted.id, confirm: true });
  await page.getByRole('button', { name: 'Змінити стан' }).click();
  await page.getByRole('menuitem', { name: 'Доставлено' }).click();
  await expect(page.getByRole('dialog')).toContainText('Цього вже немає.');
  await open(page, 'security');
  await expect(page.getByRole('button', { name: 'Показати або приховати пароль' }).first()).toBeVisible();
});

test('the histories of orders and bonus are Ukrainian', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the words are the same');
  const items = await ordersIn(page.request, 'PROCESSING', 1);
  const shipment = { trackingNumber: 'A1', carrier: 'Meest' };
  await run(page.request, 'ship_order', { orderId: items[0].id, ...shipment });
  await open(page, `orders/${items[0].id}`);
  await expect(page.locator('.timeline')).toContainText(/Номер накладної: A1/);
  await expect(page.locator('.timeline')).not.toContainText(/Tracking|Carrier/);
  const customers = await run<{ items: { id: string }[] }>(page.request, 'list_customers', { take: 50 });
  for (const { id } of customers.items) {
    const input = { customerId: id, take: 20 };
    const history = await run<{ items: { kind: string }[] }>(page.request, 'list_bonus_history', input);
    if (history.items.some(({ kind }) => kind === 'cashback')) {
      await open(page, `customers/${id}`);
      await expect(page.locator('table.table').last()).toContainText(/% від .* за /);
      await expect(page.locator('table.table').last()).not.toContainText(/Cashback|Balance|level/);
      return;
    }
  }
  throw new Error('nobody has earned cashback in the demo store');
});

const FORMS = [
  'products/new',
  ...['brands', 'categories', 'promocodes', 'contests', 'payment-providers'].map((kind) => `${kind}?new=1`),
];

test('the fields of forms, whose names come from the service, have Ukrainian ones', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'the words are the same');
  for (const address of FORMS) {
    await open(page, address);
    const labels = page.locator('form label:visible');
    await expect(labels.first()).toBeVisible();
    const others = (await labels.allInnerTexts()).filter((text) => text !== '' && !/[а-яіїєґ]/i.test(text));
    expect([address, ...others]).toEqual([address]);
  }
});

test('tables fit beside the menu, and nothing of a row is behind its actions', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has cards');
  const hidden = `[...document.querySelectorAll('.list-scroll')]
    .map((box) => box.scrollWidth - box.clientWidth)`;
  for (const width of [820, 1360]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of ['tokens', 'members', 'promocodes', 'products', 'customers', 'orders']) {
      await open(page, address);
      await expect(page.locator('.list').first()).toBeVisible();
      const beyond = await page.evaluate<number[]>(hidden);
      expect([address, width, Math.max(...beyond)]).toEqual([address, width, 0]);
    }
  }
});
