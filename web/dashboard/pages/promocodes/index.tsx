import { TicketIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'promocodes',
      title: () => words.pages.promocodes,
      menu: { section: 'marketing', icon: <TicketIcon />, order: 10 },
      operations: [
        'list_promocodes',
        'create_promocode',
        'update_promocode',
        'delete_promocode',
        'toggle_promocode',
      ],
      load: () => import('./promocodes-page'),
    },
  ],
  actions: [{ title: () => words.creates.promocode, to: 'promocodes?new=1' }],
} satisfies PageGroup;
