import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../support/servers/chromium.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * The pages of the dashboard in a real browser, against the service as `npm start` runs it: a demo store on
 * the embedded database.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/web',
  globalSetup: './global-setup.ts',
  // One worker a core leaves none for the service and the browser's own processes.
  workers: 1,
  timeout: 120_000,
  reporter: process.env.WEB_JSON ? [['list'], ['json', { outputFile: process.env.WEB_JSON }]] : 'list',
  use: {
    // The system's own browser: nothing is downloaded. As root it has no sandbox.
    launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] },
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
      use: { viewport: { width: 1000, height: 540 } },
    },
    { name: 'pictures-phone', testMatch: 'pictures.spec.ts', use: PHONE },
    { name: 'desktop', testIgnore: 'pictures.spec.ts', use: { viewport: { width: 1280, height: 800 } } },
    { name: 'phone', testIgnore: 'pictures.spec.ts', use: PHONE },
  ],
});
