import path from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { bootInlined } from './inlined.ts';

const GROUP = /dashboard\/pages\/[\w-]+\/index\.tsx?$/;
/** What a group's index declares of each page: its path, and its file. */
const DECLARED = /path: '([^']+)'[^]*?import\('\.\/([^']+)'\)/g;
const FRAME = /dashboard\/shell\/frame\.tsx$/;
/** A pattern for the files of a group. Each group also contains what its modules import. */
const anyOf = (...paths: string[]) => new RegExp(paths.join('|').replaceAll('.', '\\.'));
const PARTS = anyOf(
  'shell/(frame|keys).',
  'parts/(deferred|go-to).',
  'parts/menus/(menu-button|row-menu).',
  'parts/forms/(form|forms|unsaved|refused).',
  'parts/lists/(data-list|export-link|find-input|selection).',
  'parts/views/(saved-views|gone-filters|query).',
  'parts/inputs/tiles.',
  'parts/values/(customer-name|pictures).',
  'stores/pictures/small-pictures.',
  'components/NativeSelect/',
  'pages/orders/(filters|order|orders|paid).',
  'packages/import/src/cut.',
);
const OVERLAYS = anyOf(
  'parts/(dialog|dialogs).',
  'parts/menus/open-menu.',
  'parts/forms/conflict.',
  'parts/values/warnings.',
  'api/telling/warning-words.',
  'components/(Drawer|Popover|Tooltip)/',
);
const FORMS = anyOf(
  'packages/import/src/values/slug.',
  'parts/forms/(schema-form|schema|field|edited|config-form).',
  'parts/inputs/',
  'parts/lists/(resource|segment).',
  'components/SimpleGrid/',
  'api/batches.',
);
const RULES = anyOf('src/groups/checkout/');
const FIGURES = anyOf('parts/charts/', 'api/telling/failure-words.');
const WORDS = /web\/dashboard\/(words\/\w+(?:\/\w+)?)\.ts$/;

/**
 * Tells boot.js which files the application will request once it runs, so that they load at the same time and
 * not afterwards. The application itself, which is larger than everything else together, is fetched from the
 * beginning: on a slow network it is what arrives last.
 */
function earlyFiles(): Plugin {
  /** The address of each page by its file: `pages/orders`, `pages/orders/$` for one order. */
  const pages = new Map<string, string>();
  /** The name under which boot.js looks up a file: a page's address, or words. */
  const earlyName = (file: string) => pages.get(file) ?? WORDS.exec(file)?.[1];
  return {
    name: 'early-files',
    transform: {
      order: 'pre',
      filter: { id: GROUP },
      handler(code, group) {
        for (const [, address, file] of code.matchAll(DECLARED))
          pages.set(path.resolve(group, `../${file}.tsx`), `pages/${address.replace(/\$\w+/, '$')}`);
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html;
        const chunks = new Map<string, Rolldown.OutputChunk>();
        for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
        const needed = (file: string): string[] => [file, ...chunks.get(file)!.imports.flatMap(needed)];
        const frame = [...chunks.values()].find(({ facadeModuleId }) => FRAME.test(facadeModuleId ?? ''))!;
        const ofFrame = needed(frame.fileName).filter((file) => !html.includes(file));
        const isInHtml = (file: string) => html.includes(file) || ofFrame.includes(file);
        const early: Record<string, string[]> = {};
        for (const { fileName, facadeModuleId } of chunks.values()) {
          const name = earlyName(facadeModuleId ?? '');
          if (name) early[name] = [...new Set(needed(fileName))].filter((file) => !isInHtml(file));
        }
        // "Loading…" is painted before the application's styles are loaded. Mantine's own variables have to
        // come after the styles.
        const [styles] = /<link rel="stylesheet" crossorigin [^>]*>/.exec(html)!;
        const preloads = ofFrame.map(
          (file) => `<link rel="modulepreload" crossorigin href="./${file}">\n    `,
        );
        return html
          .replace('<script type="module"', `${preloads.join('')}$&`)
          .replace('name="early" content=""', `name="early" content='${JSON.stringify(early)}'`)
          .replace(styles, '')
          .replace('<div id="root">', `${styles}\n    <div id="root">`);
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that one build can be served below any path, which <base> states.
  base: './',
  plugins: [bootInlined(path.join(import.meta.dirname, 'dashboard/start')), earlyFiles()],
  resolve: {
    alias: [
      {
        find: /^.*\/use-id\/use-id\.mjs$/,
        replacement: path.join(import.meta.dirname, 'dashboard/start/ids.ts'),
      },
    ],
  },
  build: {
    target: 'es2022',
    // No inlined files: the content security policy allows only pictures as data: addresses.
    assetsInlineLimit: 0,
    // One file for all styles: a page's own styles are about a kilobyte, and fetching them separately would
    // delay the page.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    manifest: true,
    emptyOutDir: true,
    // In kB before compression. The size that matters is what a browser fetches, which
    // test/web/frame/weight.spec.ts checks.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Each file costs a round trip to the server. So there is one file with everything for signing in,
        // one for the frame and the most frequently opened pages, one for overlays, which are fetched later
        // there (parts/lazy-component.tsx), and one for everything else that forms need.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            { name: 'parts', test: PARTS },
            { name: 'figures', test: FIGURES, minShareCount: 2 },
            { name: 'rules', test: RULES, minShareCount: 2 },
            { name: 'overlays', test: OVERLAYS, minShareCount: 2 },
            { name: 'forms', test: FORMS, minShareCount: 2 },
          ],
        },
      },
      onLog(level, log, report) {
        // Packages mark modules for the browser with a directive for server rendering, which is meaningless
        // here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  // The worker that reads files loads the reader of workbooks when there is one.
  worker: { format: 'es' },
  // For npm run web, which serves the pages from their sources and uses the API of a service on its default
  // port.
  server: { proxy: { '/dashboard/api': 'http://localhost:3000' } },
});
