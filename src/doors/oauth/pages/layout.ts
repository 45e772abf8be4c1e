import { createHash } from 'node:crypto';

/** Text that is already HTML. All other text in a page is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | Html[] | false | null;

export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  // A line break is a space, so that a sentence is the same however its source is wrapped.
  const lines = texts.map((text) => text.replace(/\s*\n\s*/g, ' '));
  return new Html(lines.reduce((whole, text, i) => whole + textOf(parts[i - 1]) + text));
}

function textOf(part: Part): string {
  if (part === false || part === null) return '';
  if (Array.isArray(part)) return part.map(({ text }) => text).join('');
  return part instanceof Html
    ? part.text
    : part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root {
  color-scheme: light dark;
  --line: #767676; --paper: #fff; --ink: #1a1a1a; --note: #fff4d6; --act: #0b57d0; --on-act: #fff
}
@media (prefers-color-scheme: dark) {
  :root { --line: #8c8c8c; --paper: #1b1b1d; --ink: #eee; --note: #40340f; --act: #a8c7fa; --on-act: #062e6f }
}
* { box-sizing: border-box }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere
}
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
h1 { font-size: 1.4rem; line-height: 1.25 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 }
dd { margin: 0 }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .5rem 1rem 1rem }
legend { font-weight: 600; padding: 0 .25rem }
label { display: block; margin-top: .75rem }
label.choice { display: grid; grid-template-columns: 1.5rem 1fr; align-items: start; min-height: 2rem }
label.choice input { margin: .3rem 0 0; width: 1.1rem; height: 1.1rem }
label small { display: block }
input.text {
  display: block; width: 100%; font: inherit; padding: .6rem; margin-top: .25rem;
  border: 1px solid var(--line); border-radius: .35rem; background: inherit; color: inherit
}
[role=alert], .note { background: var(--note); border-radius: .35rem; padding: .6rem .8rem }
button {
  font: inherit; min-height: 2.75rem; padding: .5rem 1.5rem; margin: 1rem .75rem 0 0;
  border: 1px solid var(--act); border-radius: .35rem; background: transparent; color: var(--act)
}
button.main { background: var(--act); color: var(--on-act) }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
@media (max-width: 26rem) { dl { display: block } dd { margin-bottom: .5rem } button { width: 100% } }
`;

/** The hash by which the Content-Security-Policy of the pages allows the inline style. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** The element is built in one piece, because a change of whitespace inside it would change its hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** A whole page. */
export const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
