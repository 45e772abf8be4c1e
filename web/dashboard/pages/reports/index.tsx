import { ChartIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'reports',
      title: () => words.pages.reports,
      menu: { section: 'sell', icon: <ChartIcon />, order: 40 },
      operations: ['get_sales_report'],
      load: () => import('./reports-page'),
    },
    {
      path: 'analytics',
      title: () => words.pages.reports,
      operations: ['get_sales_report'],
      load: () => import('./reports-page'),
      leadsTo: 'reports',
    },
  ],
} satisfies PageGroup;
