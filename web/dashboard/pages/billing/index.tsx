import { InvoiceIcon, WalletIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'payments',
      title: () => words.pages.payments,
      menu: { section: 'shop', icon: <WalletIcon />, order: 35 },
      operations: [],
      needs: 'orders',
      load: () => import('./payments-page'),
    },
    {
      path: 'billing',
      title: () => words.pages.billing,
      menu: { section: 'account', icon: <InvoiceIcon />, order: 10 },
      operations: ['get_billing_status', 'list_invoices'],
      load: () => import('./billing-page'),
    },
  ],
} satisfies PageGroup;
