import { hashOf } from '../../../platform/http/document-headers.js';
import { PREVIEW_SCRIPT } from './preview-script.js';

const STYLE = `
:root { color-scheme: light dark; --line: #767676; --act: #0b57d0; --on-act: #fff }
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark; --line: #8c8c8c; --act: #a8c7fa; --on-act: #062e6f }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) { --line: #8c8c8c; --act: #a8c7fa; --on-act: #062e6f }
}
body { margin: 0; padding: .75rem; font: .95rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.05rem; margin: 0 0 .5rem }
#table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
tbody th { font-weight: 600; min-width: 8rem }
td { min-width: 5rem }
th, td {
  text-align: start; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--line);
  white-space: pre-wrap; unicode-bidi: isolate
}
ul { margin: .5rem 0; padding-inline-start: 1.25rem }
button {
  font: inherit; min-height: 2.5rem; padding: .3rem 1.25rem; margin: .75rem .5rem 0 0;
  border: 1px solid var(--act); border-radius: .35rem; background: transparent; color: var(--act)
}
#apply { background: var(--act); color: var(--on-act) }
button:disabled { opacity: .5 }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
[hidden] { display: none }
`;

/** Nothing but this script and style runs, and nothing is fetched or sent to any address. */
const POLICY =
  `default-src 'none'; script-src ${hashOf(PREVIEW_SCRIPT)}; style-src ${hashOf(STYLE)}; ` +
  "base-uri 'none'; form-action 'none'";

/** The page that hosts show beside a preview, in one piece. */
export const PREVIEW_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview of a change</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 id="title">Preview of a change</h1>
<div id="table"></div>
<ul id="notes" hidden></ul>
<p id="status" role="status">Waiting for the preview.</p>
<div id="actions" hidden>
<button id="apply" type="button">Apply</button>
<button id="cancel" type="button">Cancel</button>
</div>
</main>
<script>${PREVIEW_SCRIPT}</script>
</body>
</html>
`;
