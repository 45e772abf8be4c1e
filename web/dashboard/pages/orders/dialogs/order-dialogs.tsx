import { useGo } from '../../../address';
import { ConfirmDialog } from '../../../parts/dialogs';
import { words } from '../../../words';
import { ItemsDialog } from './items-dialog';
import type { Order } from '../order';
import { RefundDialog } from './refund-dialog';
import { ShipDialog } from './ship-dialog';

interface Props {
  order: Order;
  onClose: () => void;
}

const DIALOGS = { ship: ShipDialog, refund: RefundDialog, items: ItemsDialog, delete: DeleteDialog };
export type DialogName = keyof typeof DIALOGS;

/** The dialogs of an order's changes. */
export function OrderDialogs({ name, ...props }: Props & { name: DialogName }) {
  const Named = DIALOGS[name];
  return <Named {...props} />;
}

function DeleteDialog({ order, onClose }: Props) {
  const go = useGo();
  return (
    <ConfirmDialog
      title={`${words.common.delete}: ${words.orders.one(order.id)}`}
      type={String(order.id)}
      submitLabel={words.common.delete}
      change="delete_order"
      input={{ orderId: order.id, confirm: true }}
      conditions={{ ifMatch: order.updatedAt }}
      done={words.common.deleted}
      onDone={() => go('orders', { ignoreBlocker: true })}
      onClose={onClose}
    />
  );
}
