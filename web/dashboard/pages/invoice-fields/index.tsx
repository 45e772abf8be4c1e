import { ReceiptIcon } from '../../parts/icons';
import type { PageGroup } from '../../registry';
import { words } from '../../words';

export default {
  pages: [
    {
      path: 'invoice-fields',
      title: () => words.pages.invoiceFields,
      menu: { section: 'shop', icon: <ReceiptIcon />, order: 40 },
      operations: ['get_invoice_field_config', 'update_invoice_field_config'],
      load: () => import('./invoice-fields-page'),
    },
  ],
} satisfies PageGroup;
