import { Alert, TextInput } from '@mantine/core';
import { toMinor } from '../../../parts/inputs/amounts';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { useState } from 'react';
import { useStore } from '../../../api/store';
import { type Inputs, inputsOf, useRow } from '../../../parts/inputs/inputs-of';
import { Warnings } from '../../../notify';
import { words } from '../../../words';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order-sheet';

interface Refund {
  amount: number | null;
  reason: string;
}

/** Records a refund. The money itself is returned elsewhere; the dialog states that before and after. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { currencyDecimals } = useStore();
  const [values, change] = useRow<Refund>({ amount: order.totalPrice / 10 ** currencyDecimals, reason: '' });
  const [warnings, setWarnings] = useState<string[] | null>(null);
  if (warnings) {
    const text = <Warnings texts={warnings} />;
    return <DoneBut title={words.orders.refunded} text={text} onClose={onClose} />;
  }
  const { amount, reason } = values;
  const minor = amount === null ? undefined : toMinor(amount, currencyDecimals);
  return (
    <OrderDialog
      order={order}
      title={words.orders.refund}
      submit={{ label: words.orders.refund, color: 'red' }}
      values={values}
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
      {(errorOf) => <RefundInputs {...inputsOf(values, change, errorOf)} />}
    </OrderDialog>
  );
}

function RefundInputs({ value, text }: Inputs<Refund>) {
  const { currency, currencyDecimals } = useStore();
  return (
    <>
      <Alert color="yellow" title={words.orders.refundNoMoney}>
        {words.orders.refundHint}
      </Alert>
      <DecimalInput
        {...value('amount')}
        label={`${words.orders.amount}, ${currency}`}
        data-autofocus
        decimals={currencyDecimals}
      />
      <TextInput {...text('reason')} label={words.orders.reason} />
    </>
  );
}
