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
      isFirst: true,
    },
    {
      path: 'orders/new',
      title: () => words.pages.newOrder,
      scope: 'write',
      operations: ['find_orders'],
      load: () => import('./new/new-order-page'),
    },
    {
      path: 'orders/print',
      title: () => words.orders.print,
      operations: ['get_order', 'get_order_pricing'],
      load: () => import('./print/print-page'),
    },
    {
      path: 'orders/ship',
      title: () => words.orders.shipSeveral,
      scope: 'write',
      operations: ['ship_orders'],
      load: () => import('./ship/ship-page'),
    },
    {
      path: 'orders/$orderId',
      title: () => words.orders.order,
      operations: [
        ...(['get_order', 'set_order_status', 'ship_order', 'refund_order', 'delete_order'] as const),
        ...(['add_order_note', 'list_order_notes', 'get_order_timeline'] as const),
        ...(['get_order_pricing', 'set_order_reference'] as const),
      ],
      load: () => import('./order-page'),
      isFirst: true,
    },
  ],
  actions: [{ title: () => words.pages.newOrder, to: 'orders/new', scope: 'write' }],
} satisfies PageGroup;
