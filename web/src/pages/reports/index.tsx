import { ChartIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'reports',
      title: () => words.reports.title,
      menu: { section: 'sell', icon: <ChartIcon />, order: 40 },
      operations: ['get_sales_report'],
      load: () => import('./reports-page'),
    },
    {
      path: 'analytics',
      title: () => words.reports.title,
      operations: ['get_sales_report'],
      load: () => import('./reports-page'),
      leadsTo: 'reports',
    },
  ],
} satisfies PageGroup;
