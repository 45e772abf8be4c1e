import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that one build serves below any path: <base> says which.
  base: './',
  build: {
    target: 'es2022',
    // The policy allows pictures as data: addresses, and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    emptyOutDir: true,
    rolldownOptions: {
      onLog(level, log, report) {
        // Packages mark what runs in browsers for servers that render; here everything does.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  // npm run web: the pages from their sources, with the API of a service that runs on its usual port.
  server: { proxy: { '/dashboard/api': 'http://localhost:3000' } },
});
