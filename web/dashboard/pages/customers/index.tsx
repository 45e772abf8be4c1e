import { PeopleIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'customers',
      title: () => words.pages.customers,
      menu: { section: 'sell', icon: <PeopleIcon />, order: 30 },
      key: 'c',
      operations: ['find_customers'],
      load: () => import('./customers-page'),
    },
    {
      path: 'customers/$customerId',
      title: () => words.pages.customer,
      operations: [
        ...(['get_customer', 'update_customer', 'list_bonus_history', 'adjust_bonus'] as const),
        'set_customer_reference',
      ],
      load: () => import('./customer-page'),
    },
  ],
} satisfies PageGroup;
