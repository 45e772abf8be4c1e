import { defineConfig, type Plugin, type Rolldown } from 'vite';

const PAGE = /src\/(pages\/(\w[\w-]*))\/([\w-]+)-page\.tsx$/;
const FRAME = /src\/(shell\/frame)\.tsx$/;
/** Each of these groups has what its modules import, too. */
const PARTS =
  /shell\/(frame|keys)\.|parts\/(data-list|soon|phone|plot|figures|period|customer-name|export-link|menu-button)\.|components\/(Textarea|NativeSelect)\/|pages\/orders\/(filters|order-sheet|orders\.css)/;
const OVERLAYS = /parts\/(dialogs|conflict|save|refused|open-menu)\.|components\/(Drawer|Popover|Tooltip)\//;
const FORMS = /parts\/(schema-form|resource|picture|picture-input|money-input|row-editor|draft|slug|choice)\./;
const WORDS = /src\/(words\/\w+)\.ts$/;

/** The name under which boot.js asks for a file: `pages/orders` for a list, `pages/orders/` for what lies below it, a language, the frame. */
function earlyName(module: string): string | undefined {
  const [, place, group, page] = PAGE.exec(module) ?? [];
  if (place) return group === page ? place : `${place}/`;
  return (FRAME.exec(module) ?? WORDS.exec(module))?.[1];
}

/**
 * Tells boot.js which files will be asked for once the application runs, so that they come beside it and not after it. Scripts are
 * fetched after everything that the first paint waits for: they have more bytes than all the rest.
 */
function earlyFiles(): Plugin {
  return {
    name: 'early-files',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html;
        const chunks = new Map<string, Rolldown.OutputChunk>();
        for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
        const needed = (file: string): string[] => [file, ...chunks.get(file)!.imports.flatMap(needed)];
        const early: Record<string, string[]> = {};
        for (const { fileName, facadeModuleId } of chunks.values()) {
          const name = earlyName(facadeModuleId ?? '');
          if (!name) continue;
          const files = needed(fileName).filter((file) => !html.includes(file));
          early[name] = [...new Set([...(early[name] ?? []), ...files])];
        }
        // "Loading…" is painted before the styles of the application are there and before its scripts run (start.js); Mantine's own
        // variables have to come after the styles.
        const [styles] = /<link rel="stylesheet" crossorigin [^>]*>/.exec(html)!;
        return html
          .replace(
            /<script type="module" crossorigin src="([^"]*)"><\/script>/g,
            '<link rel="modulepreload" fetchpriority="low" class="application" href="$1" />',
          )
          .replace('</head>', '  <script type="module" src="./start.js"></script>\n  </head>')
          .replace('name="early" content=""', `name="early" content='${JSON.stringify(early)}'`)
          .replace(styles, '')
          .replace('<div id="root">', `${styles}\n    <div id="root">`);
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that one build serves below any path: <base> says which.
  base: './',
  plugins: [earlyFiles()],
  build: {
    target: 'es2022',
    // The policy allows pictures as data: addresses, and nothing else.
    assetsInlineLimit: 0,
    // One file: what a page has of its own is a kilobyte, and the page would wait for it.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    manifest: true,
    emptyOutDir: true,
    // In kB before compression. What counts is what a browser fetches: test/web/weight.spec.ts holds that.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Each file is a way to the server and back: what signing in needs is one, what the frame and the pages opened most need is
        // another, and so is what lies over a page, which comes later there (parts/later.tsx), and what forms need beyond that.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            { name: 'parts', test: PARTS },
            { name: 'overlays', test: OVERLAYS, minShareCount: 2 },
            { name: 'forms', test: FORMS, minShareCount: 2 },
          ],
        },
      },
      onLog(level, log, report) {
        // Packages mark what runs in browsers for servers that render; here everything does.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  // npm run web: the pages from their sources, with the API of a service that runs on its usual port.
  server: { proxy: { '/dashboard/api': 'http://localhost:3000' } },
});
