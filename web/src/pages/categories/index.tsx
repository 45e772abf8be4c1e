import { TreeIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'categories',
      title: () => words.categories.title,
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
  actions: [{ title: () => words.categories.create, to: 'categories?new=1' }],
} satisfies PageGroup;
