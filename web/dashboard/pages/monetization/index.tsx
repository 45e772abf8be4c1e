import { CoinIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'monetization',
      title: () => words.pages.monetization,
      menu: { section: 'marketing', icon: <CoinIcon />, order: 40 },
      operations: ['get_monetization', 'update_monetization'],
      load: () => import('./monetization-page'),
    },
  ],
} satisfies PageGroup;
