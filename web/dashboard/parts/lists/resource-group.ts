import { createElement } from 'react';
import type { Page, PageGroup } from '../../registry';
import type { Identified, Resource } from './resource';

/**
 * A group of pages made from operations alone: the list with forms to create and edit, a dialog to delete,
 * and the palette's entries. Three lines in pages/<group>/index.tsx are enough. A custom page can replace it
 * where owners need more.
 */
export function resource<Row extends Identified>(
  path: string,
  menu: Page['menu'],
  described: Resource<Row>,
): PageGroup {
  const { list, get, create, update, remove, others = [] } = described;
  const operations = [list, get, create, update, remove, ...others].filter((name) => name !== undefined);
  const page: Page = {
    path,
    title: () => described.words().title,
    menu,
    operations,
    // Forms and dialogs are loaded with the first such page, not with the frame.
    load: async () => {
      const { ResourcePage } = await import('./resource');
      return { default: () => createElement(ResourcePage<Row>, described) };
    },
  };
  return {
    pages: [page],
    actions: create ? [{ title: () => described.words().create, to: `${path}?new=1` }] : [],
  };
}
