import { ChartIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'analytics',
      title: () => words.analytics.title,
      menu: { section: 'sell', icon: <ChartIcon />, order: 40 },
      operations: ['get_analytics'],
      load: () => import('./analytics-page'),
    },
  ],
} satisfies PageGroup;
