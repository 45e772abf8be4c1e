import { useGo } from '../../../address';
import { useChange } from '../../../api/queries';
import { ConfirmDialog } from '../../../parts/dialogs';
import { notifyDone } from '../../../parts/notify';
import { words } from '../../../words';
import { ItemsDialog } from './items-dialog';
import type { Order } from '../order-sheet';
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
  const remove = useChange('delete_order');
  const go = useGo();
  return (
    <ConfirmDialog
      title={`${words.common.delete}: ${words.orders.one(order.id)}`}
      type={String(order.id)}
      submitLabel={words.common.delete}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({
          orderId: order.id,
          confirm: true,
          conditions: { ifMatch: order.updatedAt },
        });
        notifyDone(words.common.deleted);
        go('orders');
      }}
    />
  );
}
