import { FormIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'checkout',
      title: () => words.pages.checkout,
      menu: { section: 'shop', icon: <FormIcon />, order: 20 },
      operations: ['get_checkout', 'update_checkout'],
      load: () => import('./checkout-page'),
    },
  ],
} satisfies PageGroup;
