import { defineConfig } from '@playwright/test';
import base from './playwright.config.js';

/** What is run by hand against the demo store, outside the gate: `npm run pictures`, `npm run lighthouse`,
 * `npm run slow-network`. */
export default defineConfig({
  ...base,
  testMatch: ['readme-pictures.ts', 'lighthouse.ts', 'slow-network.ts'],
  projects: [{ name: 'by hand' }],
});
