import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { target } from '../../../address';
import { mayRun } from '../../../api/access';
import { useRead } from '../../../api/queries';
import { useStore } from '../../../api/store';
import { EditIcon, PrintIcon, TrashIcon, TruckIcon } from '../../../parts/icons';
import { OpenMenu, type OpenMenuProps } from '../../../parts/menus/open-menu';
import { ORDER_STATUSES, type OrderStatus } from '../../../parts/values/values';
import { words } from '../../../words/all';
import type { DialogName } from '../dialogs/order-dialogs';
import type { Order } from '../order';

/** In these statuses nothing has left the shop, so the lines can still be changed. */
const OPEN: OrderStatus[] = ['PENDING', 'PROCESSING'];

interface StatusProps extends OpenMenuProps {
  status: OrderStatus;
  onChange: (wanted: OrderStatus) => void;
}

export function StatusMenu({ button, status, onChange }: StatusProps) {
  return (
    <OpenMenu button={button}>
      {ORDER_STATUSES.filter((one) => one !== status).map((one) => (
        <Menu.Item key={one} onClick={() => onChange(one)}>
          {words.status[one]}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}

interface MoreProps extends OpenMenuProps {
  order: Order;
  onDialog: (dialog: DialogName) => void;
}

/** The less frequent actions on an order. */
export function MoreMenu({ button, order, onDialog }: MoreProps) {
  const { id: storeId, role } = useStore();
  const { data } = useRead('get_order_pricing', { orderId: order.id });
  const isOpen = OPEN.includes(order.status);
  const isRefunded = order.status === 'CANCELLED' && data !== undefined && data.refunds.length > 0;
  return (
    <OpenMenu button={button} position="bottom-end">
      <Menu.Item
        leftSection={<PrintIcon />}
        renderRoot={(props) => <Link {...target(storeId, `orders/print?ids=${order.id}`)} {...props} />}
      >
        {words.orders.print}
      </Menu.Item>
      {isOpen ? (
        <Menu.Item leftSection={<EditIcon />} onClick={() => onDialog('items')}>
          {words.handling.changeItems}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<TruckIcon />} onClick={() => onDialog('ship')}>
          {words.orders.ship}
        </Menu.Item>
      )}
      {!isRefunded && <Menu.Item onClick={() => onDialog('refund')}>{words.orders.refund}</Menu.Item>}
      {mayRun(role, 'delete_order') && (
        <Menu.Item color="red" leftSection={<TrashIcon />} onClick={() => onDialog('delete')}>
          {words.common.delete}
        </Menu.Item>
      )}
    </OpenMenu>
  );
}
