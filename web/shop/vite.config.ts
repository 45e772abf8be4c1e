import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, minifySync, type Plugin } from 'vite';

/** Puts boot.js into the document: a file of its own would cost a round trip before the first answers. */
function bootInlined(): Plugin {
  const file = path.join(import.meta.dirname, 'src/boot.js');
  return {
    name: 'boot-inlined',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const { code } = minifySync(file, readFileSync(file, 'utf8'));
        return html.replace('<script></script>', () => `<script>${code.trim()}</script>`);
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that one build can be served below any path, which <base> states.
  base: './',
  plugins: [bootInlined()],
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
