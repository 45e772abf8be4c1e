import path from 'node:path';
import { defineConfig } from 'vite';
import { bootInlined } from '../inlined.ts';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that one build can be served below any path, which <base> states.
  base: './',
  plugins: [bootInlined(path.join(import.meta.dirname, 'src'))],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
  // For work on the shop beside a service on its default port.
  server: { proxy: { '/storefront': 'http://localhost:3000' } },
});
