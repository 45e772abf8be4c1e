import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../support/servers/chromium.js';
import base from './playwright.config.js';

/** What is run by hand against the demo store, outside the gate: `npm run pictures`, `npm run lighthouse`,
 * `npm run slow-network`, `npm run first-picture`. */
export default defineConfig({
  ...base,
  use: { ...base.use, launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] } },
  testMatch: ['readme-pictures.ts', 'lighthouse.ts', 'slow-network.ts', 'first-picture.ts'],
  projects: [{ name: 'by hand' }],
});
