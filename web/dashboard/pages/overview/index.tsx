import { ChartIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'overview',
      title: () => words.pages.overview,
      menu: { section: 'sell', icon: <ChartIcon />, order: 10 },
      key: 'h',
      operations: ['get_store_overview'],
      load: () => import('./overview-page'),
    },
  ],
} satisfies PageGroup;
