import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../../parts/dialog';
import { Money, type OrderStatus } from '../../../parts/values/values';
import { words } from '../../../words/all';
import type { MoneyOf } from './money-of';
import type { Order } from '../order';

interface Props {
  order: Order;
  wanted: OrderStatus;
  money: MoneyOf;
  onChange: () => void;
  onRefund: () => void;
  onClose: () => void;
}

/** Asks before a status that returns or keeps money. */
export function MoneyDialog({ order, wanted, money, onChange, onRefund, onClose }: Props) {
  const { handling, orders } = words;
  const { paid, refunded } = money;
  const isCancelled = wanted === 'CANCELLED';
  const closing = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog onClose={onClose} title={`${words.orders.one(order.id)}: ${words.status[wanted]}`}>
      <Stack>
        <Text size="sm">
          {isCancelled ? orders.wasPaid : orders.wasReturned}{' '}
          <b>
            <Money minor={isCancelled ? paid - refunded : refunded} />
          </b>
          . {isCancelled ? handling.cancelPaid : handling.keepsRefund}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={closing(onChange)} data-autofocus={!isCancelled || undefined}>
            {isCancelled ? handling.cancelOnly : words.orders.setStatus}
          </Button>
          {isCancelled && (
            <Button color="red.9" onClick={closing(onRefund)} data-autofocus>
              {handling.recordRefund}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
