import { Button } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/change';
import { DotsIcon, TruckIcon } from '../../../parts/icons';
import { laterMenu, MenuButton } from '../../../parts/menus/menu-button';
import type { OrderStatus } from '../../../parts/values/values';
import { words } from '../../../words';
import { later } from '../../../parts/lazy-component';
import { movesMoney, useMoneyOf } from '../dialogs/money-of';
import type { DialogName } from '../dialogs/order-dialogs';
import type { Order } from '../order';
import { usePaidByProvider } from './paid-by-provider';

const MoneyDialog = later(() => import('../dialogs/money-dialog').then((file) => file.MoneyDialog));
const StatusMenu = laterMenu(() => import('./order-menus').then((file) => file.StatusMenu));
const MoreMenu = laterMenu(() => import('./order-menus').then((file) => file.MoreMenu));

interface Props {
  order: Order;
  onDialog: (dialog: DialogName) => void;
}

export function OrderActions({ order, onDialog }: Props) {
  const { change: set, isChanging } = useStatusChange(order);
  const money = useMoneyOf(order);
  const [asked, setAsked] = useState<OrderStatus | null>(null);
  const change = (wanted: OrderStatus) => (movesMoney(order, wanted, money) ? setAsked(wanted) : set(wanted));
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
      <NextStep order={order} onChange={change} onShip={() => onDialog('ship')} />
      <MenuButton
        button={more}
        menu={(button) => <MoreMenu button={button} order={order} onDialog={onDialog} />}
      />
      {asked && money && (
        <MoneyDialog
          {...{ order, money, wanted: asked }}
          onChange={() => set(asked)}
          onRefund={() => onDialog('refund')}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface StepProps {
  order: Order;
  onChange: (wanted: OrderStatus) => void;
  onShip: () => void;
}

/** What usually comes next for an order stands out. The other steps are in the menus. */
function NextStep({ order, onChange, onShip }: StepProps) {
  const isPaidByProvider = usePaidByProvider(order);
  const { status } = order;
  return (
    <>
      {(status === 'PENDING' || status === 'PROCESSING') && (
        <Button
          variant={status === 'PENDING' ? 'default' : 'filled'}
          leftSection={<TruckIcon />}
          onClick={onShip}
        >
          {words.orders.ship}
        </Button>
      )}
      {status === 'PENDING' && isPaidByProvider === false && (
        <Button onClick={() => onChange('PROCESSING')}>{words.orders.markPaid}</Button>
      )}
      {status === 'SHIPPED' && (
        <Button onClick={() => onChange('DELIVERED')}>{words.orders.markDelivered}</Button>
      )}
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
