import './orders.css';
import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '../../address';
import { useRead } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { GoTo } from '../../parts/go-to';
import { later } from '../../parts/lazy-component';
import { Soon } from '../../parts/deferred';
import { Empty, LoadingBlock, PageHead } from '../../parts/states';
import { StatusBadge, When } from '../../parts/values/values';
import { words } from '../../words';
import { OrderActions } from './actions/order-actions';
import { REFRESH_MS } from './filters';
import type { DialogName } from './dialogs/order-dialogs';
import { Neighbours } from './neighbours';
import { Notes } from './notes';
import { Lines } from './order-record';
import { Timeline } from './timeline';
import { OrderSide } from './order-side';

const OrderDialogs = later(() => import('./dialogs/order-dialogs').then((file) => file.OrderDialogs));

/** What is open or typed for one order does not stay for the next. */
export default function OrderPage() {
  const orderId = Number(useParam('orderId'));
  if (!Number.isSafeInteger(orderId) || orderId < 1)
    return (
      <Stack>
        <PageHead title={words.orders.order} />
        <Empty title={words.orders.emptyFiltered} action={<GoTo to="orders">{words.orders.title}</GoTo>} />
      </Stack>
    );
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
        tab={words.orders.one(orderId)}
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
        <div className="detail order-detail">
          <Lines order={data} />
          <OrderSide order={data} />
          <Stack>
            <Notes orderId={orderId} />
            <Timeline orderId={orderId} />
          </Stack>
        </div>
      </Soon>
      {dialog && <OrderDialogs name={dialog} order={data} onClose={() => setDialog(null)} />}
    </Stack>
  );
}
