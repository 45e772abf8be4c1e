import { TreeIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'categories',
      title: () => words.pages.categories,
      menu: { section: 'catalog', icon: <TreeIcon />, order: 20 },
      operations: [
        'list_categories',
        'get_category',
        'create_category',
        'update_category',
        'delete_category',
      ],
      load: () => import('./categories-page'),
    },
  ],
  actions: [{ title: () => words.creates.category, to: 'categories?new=1' }],
} satisfies PageGroup;
