import './orders.css';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '../../address';
import { useChange } from '../../api/change';
import { useRead } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { DotsIcon, TruckIcon } from '../../parts/icons';
import { later } from '../../parts/later';
import { laterMenu, MenuButton } from '../../parts/menu-button';
import { Soon } from '../../parts/soon';
import { LoadingBlock, PageHead } from '../../parts/states';
import { type OrderStatus, StatusBadge, When } from '../../parts/values/values';
import { words } from '../../words';
import { REFRESH_MS } from './filters';
import type { DialogName } from './dialogs/order-dialogs';
import { Neighbours } from './neighbours';
import { Notes } from './notes';
import { Lines } from './order-record';
import { Timeline } from './timeline';
import { OrderSide } from './order-side';
import type { Order } from './order-sheet';

const OrderDialogs = later(() => import('./dialogs/order-dialogs').then((file) => file.OrderDialogs));
const StatusMenu = laterMenu(() => import('./order-menus').then((file) => file.StatusMenu));
const MoreMenu = laterMenu(() => import('./order-menus').then((file) => file.MoreMenu));

/** What is open or typed for one order does not stay for the next. */
export default function OrderPage() {
  const orderId = Number(useParam('orderId'));
  return <OneOrder key={orderId} orderId={orderId} />;
}

function OneOrder({ orderId }: { orderId: number }) {
  const order = useRead('get_order', { orderId }, { refetchInterval: REFRESH_MS });
  const [dialog, setDialog] = useState<DialogName | null>(null);
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
        hint={
          <>
            <When iso={data.createdAt} /> <Neighbours order={data} />
          </>
        }
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
      {dialog && <OrderDialogs name={dialog} order={data} onClose={() => setDialog(null)} />}
    </Stack>
  );
}

function OrderActions({ order, onDialog }: { order: Order; onDialog: (dialog: DialogName) => void }) {
  const { change, isChanging } = useStatusChange(order);
  const status = (
    <Button variant="default" loading={isChanging}>
      {words.orders.setStatus}
    </Button>
  );
  const more = (
    <Button variant="default" px="xs" aria-label={words.common.actions}>
      <DotsIcon />
    </Button>
  );
  return (
    <>
      <MenuButton
        button={status}
        menu={(button) => <StatusMenu button={button} status={order.status} onChange={change} />}
      />
      <Button leftSection={<TruckIcon />} onClick={() => onDialog('ship')}>
        {words.orders.ship}
      </Button>
      <MenuButton
        button={more}
        menu={(button) => <MoreMenu button={button} order={order} onDialog={onDialog} />}
      />
    </>
  );
}

function useStatusChange({ id: orderId, updatedAt }: Order) {
  const { make, isPending } = useChange('set_order_status', {
    done: (_, { status: now }) => words.orders.isNow(words.status[now]),
  });
  const change = (wanted: OrderStatus) => void make({ orderId, status: wanted }, { ifMatch: updatedAt });
  return { change, isChanging: isPending };
}
