import { readFileSync } from 'node:fs';
import path from 'node:path';
import { minifySync, type Plugin } from 'vite';

/**
 * Puts boot.js and boot.css of a folder into the document, each into its empty element: as files of their own
 * they would cost a round trip before the first paint and before the first answers.
 */
export function bootInlined(folder: string): Plugin {
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  // Their syntax stays as it is written, for browsers of any age.
  const script = () => minifySync('boot.js', read('boot.js'), { compress: false }).code.trim();
  return {
    name: 'boot-inlined',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace('<script></script>', () => `<script>${script()}</script>`)
          .replace('<style></style>', () => `<style>\n${read('boot.css')}</style>`),
    },
  };
}
