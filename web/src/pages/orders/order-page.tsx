import './orders.css';
import { Button, Group, Menu, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { target, useGo, useParam } from '../../address';
import { useRead, useRefresh, useChange } from '../../api/queries';
import { Refusal } from '../../api/refusal';
import { useStore } from '../../api/store';
import { ConfirmDialog } from '../../parts/dialogs';
import { Failure } from '../../parts/failure';
import { DotsIcon, EditIcon, PrintIcon, TrashIcon, TruckIcon } from '../../parts/icons';
import { notifyDone, notifyFailed } from '../../parts/notify';
import { mayRun } from '../../parts/resource';
import { Soon } from '../../parts/soon';
import { LoadingBlock, PageHead } from '../../parts/states';
import { ORDER_STATUSES, type OrderStatus, StatusBadge, When } from '../../parts/values';
import { words } from '../../words';
import { REFRESH_MS } from './filters';
import { ItemsDialog } from './items-dialog';
import { Lines, Notes } from './order-record';
import { Timeline } from './timeline';
import { OrderSide } from './order-side';
import type { Order } from './order-sheet';
import { RefundDialog } from './refund-dialog';
import { ShipDialog } from './ship-dialog';

type Dialog = 'ship' | 'refund' | 'items' | 'delete';
/** Nothing has left the shop yet: the lines may still be changed. */
const OPEN: OrderStatus[] = ['PENDING', 'PROCESSING'];

export default function OrderPage() {
  const orderId = Number(useParam('orderId'));
  const order = useRead('get_order', { orderId }, { refetchInterval: REFRESH_MS });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  if (!order.data) {
    return (
      <Stack>
        <PageHead title={words.orders.one(orderId)} />
        {order.error ? <Failure error={order.error} retry={() => void order.refetch()} /> : <LoadingBlock />}
      </Stack>
    );
  }
  const { data } = order;
  return (
    <Stack>
      <PageHead
        title={
          <Group component="span" gap="sm" display="inline-flex">
            {words.orders.one(orderId)} <StatusBadge status={data.status} />
          </Group>
        }
        hint={<When iso={data.createdAt} />}
      >
        <OrderActions order={data} onDialog={setDialog} />
      </PageHead>
      {order.error && <Failure error={order.error} retry={() => void order.refetch()} />}
      <Soon fallback={<LoadingBlock />}>
        <div className="detail">
          <Stack>
            <Lines order={data} />
            <Notes orderId={orderId} />
            <Timeline orderId={orderId} />
          </Stack>
          <OrderSide order={data} />
        </div>
      </Soon>
      {dialog === 'ship' && <ShipDialog order={data} onClose={close} />}
      {dialog === 'refund' && <RefundDialog order={data} onClose={close} />}
      {dialog === 'items' && <ItemsDialog order={data} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog order={data} onClose={close} />}
    </Stack>
  );
}

function OrderActions({ order, onDialog }: { order: Order; onDialog: (dialog: Dialog) => void }) {
  const { id: storeId, role } = useStore();
  return (
    <>
      <StatusMenu order={order} />
      <Button leftSection={<TruckIcon />} onClick={() => onDialog('ship')}>
        {words.orders.ship}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={words.common.actions}>
            <DotsIcon />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<PrintIcon />}
            renderRoot={(props) => <Link {...target(storeId, `orders/print?ids=${order.id}`)} {...props} />}
          >
            {words.orders.print}
          </Menu.Item>
          {OPEN.includes(order.status) && (
            <Menu.Item leftSection={<EditIcon />} onClick={() => onDialog('items')}>
              {words.orders.changeItems}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => onDialog('refund')}>{words.orders.refund}</Menu.Item>
          {mayRun(role, 'delete_order') && (
            <Menu.Item color="red" leftSection={<TrashIcon />} onClick={() => onDialog('delete')}>
              {words.common.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function StatusMenu({ order: { id: orderId, status, updatedAt } }: { order: Order }) {
  const set = useChange('set_order_status');
  const refresh = useRefresh();
  const change = async (wanted: OrderStatus) => {
    try {
      await set.mutateAsync({ orderId, status: wanted, conditions: { ifMatch: updatedAt } });
      notifyDone(words.orders.isNow(words.status[wanted]), () => set.mutateAsync({ orderId, status }));
    } catch (error) {
      void refresh();
      const isStale = error instanceof Refusal && error.code === 'precondition_failed';
      notifyFailed(isStale ? new Error(words.conflict.title) : (error as Error));
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={set.isPending}>
          {words.orders.setStatus}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ORDER_STATUSES.filter((one) => one !== status).map((one) => (
          <Menu.Item key={one} onClick={() => void change(one)}>
            {words.status[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function DeleteDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const remove = useChange('delete_order');
  const go = useGo();
  return (
    <ConfirmDialog
      title={`${words.common.delete}: ${words.orders.one(order.id)}`}
      type={String(order.id)}
      submitLabel={words.common.delete}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({ orderId: order.id, confirm: true, conditions: { ifMatch: order.updatedAt } });
        notifyDone(words.common.deleted);
        go('orders');
      }}
    />
  );
}
