import { Alert, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../../../api/store';
import { words } from '../../../words';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order-sheet';

/** Records a refund. The money itself is returned elsewhere; the dialog states that before and after. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { currency, currencyDecimals } = useStore();
  const [amount, setAmount] = useState<string | number>(order.totalPrice / 10 ** currencyDecimals);
  const [reason, setReason] = useState('');
  const [warnings, setWarnings] = useState<string[] | null>(null);
  if (warnings) return <DoneBut title={words.orders.refunded} text={warnings.join('; ')} onClose={onClose} />;
  const minor = amount === '' ? undefined : Math.round(Number(amount) * 10 ** currencyDecimals);
  return (
    <OrderDialog
      order={order}
      title={words.orders.refund}
      submit={{ label: words.orders.refund, color: 'red' }}
      values={{ amount, reason }}
      change="refund_order"
      input={{ orderId: order.id, amount: minor, reason: reason.trim() || undefined }}
      done={(data) => (data.warnings?.length ? undefined : words.orders.refunded)}
      onDone={(data) => (data.warnings?.length ? setWarnings(data.warnings) : onClose())}
      conflict={{
        yours: { status: words.status.CANCELLED },
        theirs: ({ status }) => ({ status: words.status[status] }),
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Alert color="yellow" title={words.orders.refundNoMoney}>
            {words.orders.refundHint}
          </Alert>
          <NumberInput
            label={`${words.orders.amount}, ${currency}`}
            data-autofocus
            min={0}
            decimalScale={currencyDecimals}
            value={amount}
            onChange={setAmount}
            error={errorOf('amount')}
          />
          <TextInput
            label={words.orders.reason}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={errorOf('reason')}
          />
        </>
      )}
    </OrderDialog>
  );
}
