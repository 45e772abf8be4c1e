import { Alert, Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { run } from '../../api/client';
import { useStore } from '../../api/store';
import { ConflictDialog } from '../../parts/conflict';
import { Failure } from '../../parts/failure';
import { notifyDone } from '../../parts/notify';
import { words } from '../../words';
import type { Order } from './order-sheet';
import { useOrderChange } from './use-order-change';

/** Records a refund. The money is returned elsewhere, and the dialog says so before and after. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { id: storeId, currency, currencyDecimals } = useStore();
  const [amount, setAmount] = useState<string | number>(order.totalPrice / 10 ** currencyDecimals);
  const [reason, setReason] = useState('');
  const [warnings, setWarnings] = useState<string[] | null>(null);
  const change = useOrderChange(
    order,
    (ifMatch) => {
      const minor = amount === '' ? undefined : Math.round(Number(amount) * 10 ** currencyDecimals);
      const input = { orderId: order.id, amount: minor, reason: reason.trim() || undefined };
      return run(storeId, 'refund_order', input, { ifMatch });
    },
    (data) => {
      if (data.warnings?.length) return setWarnings(data.warnings);
      notifyDone(words.orders.refunded);
      onClose();
    },
    ['amount', 'reason'],
  );
  if (warnings) {
    return (
      <Modal opened onClose={onClose} title={words.orders.refunded}>
        <Alert color="yellow" role="alert">
          {warnings.join('; ')}
        </Alert>
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>{words.common.close}</Button>
        </Group>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={`${words.orders.refund}: ${words.orders.one(order.id)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change.submit();
        }}
      >
        <Stack gap="sm">
          <Alert color="yellow" title={words.orders.refundNoMoney}>
            {words.orders.refundHint}
          </Alert>
          {change.failure && <Failure error={change.failure} />}
          <NumberInput
            label={`${words.orders.amount}, ${currency}`}
            data-autofocus
            min={0}
            decimalScale={currencyDecimals}
            value={amount}
            onChange={setAmount}
            error={change.errorOf('amount')}
          />
          <TextInput
            label={words.orders.reason}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={change.errorOf('reason')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button type="submit" color="red" loading={change.busy}>
              {words.orders.refund}
            </Button>
          </Group>
        </Stack>
      </form>
      {change.theirs && (
        <ConflictDialog
          yours={{ status: words.status.CANCELLED }}
          theirs={{ status: words.status[change.theirs.status] }}
          onKeepMine={change.keepMine}
          onTakeTheirs={change.takeTheirs}
        />
      )}
    </Modal>
  );
}
