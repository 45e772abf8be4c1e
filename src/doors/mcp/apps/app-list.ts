import { PREVIEW_PAGE } from './preview-page.js';

/** The media type by which hosts know a page of theirs to show. */
export const APP_TYPE = 'text/html;profile=mcp-app';

/** The extension, as the server declares it. */
export const APPS_EXTENSION = { 'io.modelcontextprotocol/ui': { mimeTypes: [APP_TYPE] } };

/** The pages, each with the tool beside whose result it is shown. */
export const APPS = [
  {
    tool: 'preview_change',
    uri: 'ui://shop/preview.html',
    name: 'preview',
    title: 'Preview of a change',
    description: 'What a change would change, before and after, with Apply and Cancel.',
    page: PREVIEW_PAGE,
  },
];

/** What a tool says of its page. Older hosts read the second form. */
export function appOf(tool: string): Record<string, unknown> | undefined {
  const app = APPS.find((known) => known.tool === tool);
  return app && { ui: { resourceUri: app.uri }, 'ui/resourceUri': app.uri };
}
