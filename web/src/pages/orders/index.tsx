import { BagIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'orders',
      title: () => words.orders.title,
      menu: { section: 'sell', icon: <BagIcon />, order: 20 },
      key: 'o',
      operations: ['find_orders'],
      load: () => import('./orders-page'),
    },
    {
      path: 'orders/print',
      title: () => words.orders.print,
      operations: ['get_order'],
      load: () => import('./print-page'),
    },
  ],
} satisfies PageGroup;
