import type { Page } from '@playwright/test';
import { axe, expect, open, openSections, test } from '../support.js';

type Leave = (page: Page) => Promise<unknown>;

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const follow = (name: string) => async (page: Page) => {
  await openSections(page);
  await page.getByRole('link', { name, exact: true }).first().click();
};
const LINK: Leave = follow('Customers');
const BACK: Leave = (page) => page.evaluate('history.back()');
// Not page.reload(), which waits for a load that does not come.
const RELOAD: Leave = (page) => page.evaluate('setTimeout(() => location.reload())');
const ESCAPE: Leave = (page) => page.keyboard.press('Escape');
const OUTSIDE: Leave = (page) => page.mouse.click(2, 796);
const CLOSE: Leave = (page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

const ON_A_PAGE = { LINK, BACK, RELOAD };
const IN_A_DIALOG = { BACK, RELOAD, ESCAPE, OUTSIDE, CLOSE };
const IN_A_POPOVER = { BACK, RELOAD, ESCAPE, OUTSIDE };

interface Form {
  /** The steps from the overview to the form. */
  steps: ((page: Page) => Promise<unknown>)[];
  field: string | RegExp;
  typed?: string;
  ways: Record<string, Leave>;
}

const anOrder = (page: Page) =>
  page
    .getByRole('link', { name: /^Order \S*\d/ })
    .first()
    .click();
const anOpenOrder = (page: Page) =>
  page
    .locator('.row', { hasText: /Pending|Processing/ })
    .first()
    .getByRole('link')
    .click();
const FORMS: Record<string, Form> = {
  'a configuration': { steps: [follow('Settings')], field: 'Name of the shop', ways: ON_A_PAGE },
  'a message of the bot': { steps: [follow('Bot')], field: 'Text', ways: ON_A_PAGE },
  'a new product': {
    steps: [follow('Products'), follow('Add a product')],
    field: /^Description/,
    ways: ON_A_PAGE,
  },
  'a variant of a new product': {
    steps: [follow('Products'), follow('Add a product'), click('Add an option')],
    field: 'Option',
    ways: ON_A_PAGE,
  },
  'a password': { steps: [follow('Security')], field: /^New password/, ways: ON_A_PAGE },
  'a note': { steps: [follow('Orders'), anOrder], field: 'New note', ways: ON_A_PAGE },
  'a brand': { steps: [follow('Brands'), click('Create a brand')], field: /^Name/, ways: IN_A_DIALOG },
  'a category': {
    steps: [follow('Categories'), click('Create a category')],
    field: /^Name/,
    ways: IN_A_DIALOG,
  },
  'a payment provider': {
    steps: [follow('Payment providers'), click('Add a payment provider')],
    field: /^Name/,
    ways: IN_A_DIALOG,
  },
  'an invitation': {
    steps: [follow('Members'), click('Invite somebody')],
    field: /^E-mail/,
    ways: IN_A_DIALOG,
  },
  'a token': { steps: [follow('API tokens'), click('Create a token')], field: /^Name/, ways: IN_A_DIALOG },
  "an order's change": {
    steps: [follow('Orders'), anOpenOrder, click('Ship')],
    field: 'Carrier',
    ways: IN_A_DIALOG,
  },
  'a stock': {
    steps: [follow('Products'), click(/^Stock of /)],
    field: 'Stock',
    typed: '3',
    ways: IN_A_POPOVER,
  },
};

/** Answers the next question, and tells that there was one. */
const answer = (page: Page, mayLeave: boolean) =>
  page.waitForEvent('dialog').then((question) => (mayLeave ? question.accept() : question.dismiss()));

Object.entries(FORMS).forEach(([name, { steps, field, typed = 'typed', ways }], i) => {
  test(`${name} that is typed is not lost without a question`, async ({ page, isMobile }) => {
    test.skip(isMobile, 'the guard is the same, and links are in a menu that is closed');
    await open(page, 'overview');
    for (const step of steps) await step(page);
    const input = page.getByLabel(field, { exact: typeof field === 'string' }).first();
    // Waits for the form, whose address may be another one.
    await input.click();
    const address = page.url();
    await input.pressSequentially(typed);
    for (const leave of Object.values(ways)) {
      await Promise.all([answer(page, false), leave(page)]);
      await expect(input).toHaveValue(new RegExp(typed));
      await expect(page).toHaveURL(address);
    }
    // Each way leads away from some of the forms.
    const leave = Object.values(ways)[i % Object.keys(ways).length];
    const left = leave === RELOAD ? page.waitForEvent('load') : expect(input).toHaveCount(0);
    await Promise.all([answer(page, true), leave(page), left]);
  });
});

test('a campaign that is typed stays in the browser, is left without a question, and is emptied', async ({
  page,
}) => {
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.message());
    void question.dismiss();
  });
  await open(page, 'campaigns/new');
  const text = page.getByLabel(/^Text \*/);
  await text.fill('Half done');
  await page.getByText('Chosen ones', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Ids of the shoppers' }).fill('77');
  await page.keyboard.press('Enter');
  // Nobody is written to who has no chat with the bot.
  await page.getByRole('button', { name: 'Send it to me' }).click();
  await expect(page.getByText('The bot does not know your chat yet.')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await open(page, 'customers');
  await open(page, 'campaigns/new');
  await expect(text).toHaveValue('Half done');
  await expect(page.getByText('77', { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Empty the form' }).click();
  await expect(text).toHaveValue('');
  await page.reload();
  await expect(text).toHaveValue('');
  expect(questions).toEqual([]);
});

test('a form is left without a question when nothing is typed, taken back, or saved', async ({ page }) => {
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.message());
    void question.dismiss();
  });
  await open(page, 'brands');
  const create = page.getByRole('button', { name: 'Create a brand' }).first();
  const name = page.getByLabel(/^Name/).first();
  await create.click();
  await name.fill('taken back');
  await name.fill('');
  await page.keyboard.press('Escape');
  await expect(name).toHaveCount(0);
  await create.click();
  await name.fill(`Kept ${Date.now()}`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(name).toHaveCount(0);
  expect(questions).toEqual([]);
});

test('signing out asks first whether typed work may be lost', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await open(page, 'products/new');
  const title = page.getByLabel(/^Title/);
  await title.fill('Half done');
  await page.getByRole('button', { name: 'Account' }).click();
  await Promise.all([answer(page, false), page.getByRole('menuitem', { name: 'Sign out' }).click()]);
  await expect(title).toHaveValue('Half done');
  expect(sent.filter((path) => path.includes('sign-out'))).toEqual([]);
});
