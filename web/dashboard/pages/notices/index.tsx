import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      // The account menu leads here.
      path: 'notices',
      title: () => words.pages.notices,
      needs: 'orders',
      operations: [],
      load: () => import('./notices-page'),
    },
  ],
} satisfies PageGroup;
