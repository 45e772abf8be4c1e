import { TableIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'reports',
      title: () => words.reports.title,
      menu: { section: 'sell', icon: <TableIcon />, order: 45 },
      operations: ['get_sales_report'],
      load: () => import('./reports-page'),
    },
  ],
} satisfies PageGroup;
