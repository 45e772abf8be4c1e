import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      // The account menu leads here.
      path: 'notices',
      title: () => words.notices.title,
      needs: 'orders',
      operations: [],
      load: () => import('./notices-page'),
    },
  ],
} satisfies PageGroup;
