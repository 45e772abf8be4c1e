import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromiumPath, headlessBrowser, isWithoutShell } from '../support/servers/chromium.js';
import { FIREFOX } from './firefox/place.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
// How pages look on a phone is judged always (pictures.spec.ts), what they do by the frame and the overview;
// the flows of the other pages, which are the same, run there too in test:slow.
const ON_A_PHONE = process.env.SLOW_TESTS
  ? '*.spec.ts'
  : ['frame/frame.spec.ts', 'frame/first-sale.spec.ts', 'shop/overview.spec.ts'];
const IN_FIREFOX = 'firefox/*.spec.ts';
// Pictures and Firefox have projects of their own.
const APART = ['pictures.spec.ts', IN_FIREFOX];
// The pictures were taken by the whole browser.
const PICTURE = { launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] } };
// Workers read this file too.
const isWorker = process.env.TEST_WORKER_INDEX !== undefined;
if (process.env.SLOW_TESTS && FIREFOX === null && !isWorker)
  console.warn('firefox-esr is not installed: the tests in it (test/web/firefox) are left out');
if (isWithoutShell && !isWorker)
  console.warn('chromium-headless-shell is not installed: chromium takes its place, and half as long again');

/**
 * The pages of the dashboard in a real browser, against the service as `npm start` runs it: a demo store on
 * the embedded database.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/web',
  // Each has a shop of its own (support.ts).
  workers: availableParallelism(),
  timeout: 120_000,
  reporter: process.env.WEB_JSON ? [['list'], ['json', { outputFile: process.env.WEB_JSON }]] : 'list',
  use: {
    // The system's own browser: nothing is downloaded.
    launchOptions: headlessBrowser(),
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Nothing moves, so nothing has to be waited for.
    contextOptions: { reducedMotion: 'reduce' },
  },
  snapshotPathTemplate: '{testDir}/pictures/{projectName}/{arg}{ext}',
  expect: {
    timeout: 20_000,
    // Edges of letters differ between machines; a part that has moved is more than a hundredth of the
    // picture.
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, threshold: 0.2 },
  },
  projects: [
    {
      name: 'pictures-desktop',
      testMatch: 'pictures.spec.ts',
      use: { ...PICTURE, viewport: { width: 1000, height: 540 } },
    },
    { name: 'pictures-phone', testMatch: 'pictures.spec.ts', use: { ...PICTURE, ...PHONE } },
    { name: 'desktop', testIgnore: APART, use: { viewport: { width: 1280, height: 800 } } },
    { name: 'phone', testMatch: ON_A_PHONE, testIgnore: APART, use: PHONE },
    ...(process.env.SLOW_TESTS && FIREFOX !== null ? [{ name: 'firefox', testMatch: IN_FIREFOX }] : []),
  ],
});
