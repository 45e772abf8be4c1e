import { BellIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'webhooks',
      title: () => words.pages.webhooks,
      menu: { section: 'partners', icon: <BellIcon />, order: 30 },
      key: 'w',
      operations: [],
      needs: 'events',
      load: () => import('./webhooks-page'),
    },
  ],
} satisfies PageGroup;
