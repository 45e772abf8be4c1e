import { CardIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'payment-providers',
      title: () => words.pages.paymentProviders,
      menu: { section: 'shop', icon: <CardIcon />, order: 30 },
      operations: [
        'list_payment_providers',
        'get_payment_provider',
        'create_payment_provider',
        'update_payment_provider',
        'delete_payment_provider',
        'test_payment_provider',
      ],
      load: () => import('./payment-providers-page'),
    },
  ],
  actions: [{ title: () => words.creates.paymentProvider, to: 'payment-providers?new=1' }],
} satisfies PageGroup;
