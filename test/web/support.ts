import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type APIRequestContext,
  expect,
  type Locator,
  type Page,
  type Request,
  test as base,
} from '@playwright/test';
import type { BotApiServer } from '../support/servers/bot-api-server.js';
import { startShop } from './service.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Runs in the page: what the policy refuses is an error of the console. */
export const REPORT_POLICY = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const SERVICE = () => process.env.WEB_URL!;
export const STORE = () => process.env.WEB_STORE!;
export const OWNER = () => ({ email: process.env.WEB_OWNER!, password: process.env.WEB_PASSWORD! });

/** The demo store, with its messenger, and requests to it as its owner. */
export const shopTest = base.extend<object, { shop: { messenger: BotApiServer } }>({
  // A worker's own, so that files of tests at the same time do not see each other's changes.
  shop: [
    async ({}, use) => {
      const { stop, messenger } = await startShop();
      await use({ messenger });
      await stop();
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  baseURL: async ({}, use) => use(SERVICE()),
  storageState: async ({}, use) => use(process.env.WEB_STATE!),
});

/**
 * A page of the demo store, signed in as its owner. Every test fails on what the policy refused, an uncaught
 * error and a console error, but for those that it says it causes: they may be reported late.
 */
export const test = shopTest.extend<{ causes: RegExp | null; problems: void }>({
  causes: [null, { option: true }],
  problems: [
    async ({ page, causes }, use) => {
      const problems: string[] = [];
      page.on('console', (message) => {
        // The browser itself writes a line for every refusal, also for those that a test asks for.
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
          problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.addInitScript(REPORT_POLICY);
      await use();
      expect(problems.filter((text) => !causes?.test(text))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens a page of the demo store and waits until its head is there. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${STORE()}/${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Opens all sections of the menu, whose links nobody could press before. */
export const openSections = (page: Page) =>
  page.evaluate<void>(
    `for (const section of document.querySelectorAll('.menu details')) section.open = true`,
  );

/** As `open`, and waits until the service tells the page what others change from then on. */
export async function openLive(page: Page, path: string): Promise<void> {
  const events = page.waitForResponse(/\/events$/);
  await open(page, path);
  await events;
}

/**
 * By how many pixels the page is wider than the screen. The window of a phone becomes as wide as what stands
 * in it, so that its own width would never tell. The application hears of a new width with the next frame.
 */
export const tooWide = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.documentElement.scrollWidth - ${page.viewportSize()!.width}))))`);

/** Whether it may change something. A form only rehearses by preview_change what it then does. */
export const isChange = (request: Request) =>
  request.method() !== 'GET' &&
  request.url().includes('/dashboard/api/') &&
  !/operations\/((get|list|find)_|preview_change)/.test(request.url());

/** Clicks twice at once, which is one change. */
export async function clickTwice(page: Page, button: Locator): Promise<void> {
  const sent: string[] = [];
  const note = (request: Request) => void (isChange(request) && sent.push(request.url()));
  page.on('request', note);
  await Promise.all([page.waitForResponse((response) => isChange(response.request())), button.dblclick()]);
  page.off('request', note);
  expect(sent).toHaveLength(1);
}

/** A double click whose second click comes once the first one has done its work: `done` waits for that. */
export async function slowDoubleClick(page: Page, target: Locator, done: () => Promise<void>): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    await done();
  }
}

/**
 * What axe finds on the page as it is; an empty list is what a test expects. The desktop is judged in light
 * and the phone in dark. Only rules about colours can differ between the two: in test:slow both are judged by
 * these in the other scheme too.
 */
export async function axe(page: Page): Promise<string[]> {
  // Lists that still load would be judged as they load.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const [usual, other] =
    page.viewportSize()!.width > 600 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  // A bar that stays in sight covers what the page can be scrolled to show.
  const setBars = (position: string) =>
    page.evaluate(
      `for (const bar of document.querySelectorAll('.form-foot')) bar.style.position = '${position}'`,
    );
  await setBars('static');
  const found: string[] = [];
  // The usual one is the last, because the page stays in it.
  for (const scheme of process.env.SLOW_TESTS ? [other, usual] : [usual]) {
    await page.emulateMedia({ colorScheme: scheme });
    const texts = await violations(page, scheme === usual ? RULES : COLOUR_RULES);
    found.push(...texts.map((text) => `${scheme}: ${text}`));
  }
  await setBars('');
  return found;
}

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Through the debugger's evaluate, which the policy does not stop; it would stop a script tag. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE);
  // Nodes of rules that pass are most of the work, and nobody reads them. The application hears of the scheme
  // with the next frame.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const result = await page.evaluate<Found>(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      .then(() => axe.run(${options}))`,
  );
  const texts = ({ nodes }: Found['violations'][number]) =>
    nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} | ${failureSummary.slice(0, 240)}`);
  return result.violations.map((violation) => `${violation.id}: ${texts(violation).join(' || ')}`);
}

/**
 * Runs an operation as the owner, past the pages: to prepare what a test needs, or to see what it has done.
 */
export async function run<Data = Record<string, unknown>>(
  request: APIRequestContext,
  operation: string,
  input: object,
): Promise<Data> {
  const response = await request.post(`/dashboard/api/stores/${STORE()}/operations/${operation}`, {
    data: input,
  });
  const answer = (await response.json()) as { ok: boolean; data: Data; error?: { message: string } };
  if (!answer.ok) throw new Error(`${operation}: ${answer.error?.message}`);
  return answer.data;
}

/**
 * Orders in a status, of which the tests before may have left too few: then delivered ones get it.
 * @param sort newest or oldest
 */
export async function ordersIn(request: APIRequestContext, status: string, take: number, sort = 'newest') {
  const find = async (statuses: string[], most: number) =>
    (
      await run<{ items: { id: number; status: string }[] }>(request, 'find_orders', {
        ...{ statuses, sort, take: most },
      })
    ).items;
  const found = await find([status], take);
  if (found.length === take) return found;
  for (const { id: orderId } of await find(['DELIVERED'], take - found.length))
    await run(request, 'set_order_status', { orderId, status });
  return find([status], take);
}

/** The texts of the elements that match, as far as they stand on several lines. */
export const onSeveralLines = (page: Page, selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const lines = new Set();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const range = document.createRange();
      range.selectNode(node);
      for (const { bottom } of range.getClientRects()) lines.add(Math.round(bottom / 6));
    }
    return lines.size > 1;
  }).map(({ textContent }) => textContent)`);

export { expect };
