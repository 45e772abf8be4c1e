import { Alert, Select, TextInput } from '@mantine/core';
import { toMinor } from '../../../parts/inputs/amounts';
import { DecimalInput } from '../../../parts/inputs/decimal-input';
import { useState } from 'react';
import type { Sentence } from '../../../../../src/platform/problems';
import { useChange, warningsOf } from '../../../api/change';
import { useStore } from '../../../api/store';
import { choicesOf, type Inputs, inputsOf, useRow } from '../../../parts/inputs/inputs-of';
import { Warnings } from '../../../notify';
import { ORDER_STATUSES, type OrderStatus } from '../../../parts/values/values';
import { words } from '../../../words/all';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order';

interface Refund {
  amount: number | null;
  reason: string;
  /** The status that the order gets once the refund has cancelled it. */
  after: OrderStatus;
}

/** Records a refund. The money itself is returned elsewhere; the dialog states that before and after. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { currencyDecimals } = useStore();
  const [values, change] = useRow<Refund>({
    ...{ amount: order.totalPrice / 10 ** currencyDecimals, reason: '' },
    after: 'CANCELLED',
  });
  const [warnings, setWarnings] = useState<Sentence[] | null>(null);
  const status = useChange('set_order_status', {
    done: (_, given) => words.orders.isNow(words.status[given.status]),
  });
  const goOn = async () => {
    await status.make({ orderId: order.id, status: after });
    onClose();
  };
  if (warnings) {
    const text = <Warnings all={warnings} />;
    return <DoneBut title={words.handling.refunded} text={text} onClose={onClose} />;
  }
  const { amount, reason, after } = values;
  const minor = amount === null ? undefined : toMinor(amount, currencyDecimals);
  return (
    <OrderDialog
      order={order}
      title={words.orders.refund}
      submit={{ label: words.orders.refund, color: 'red' }}
      values={values}
      change="refund_order"
      input={{ orderId: order.id, amount: minor, reason: reason.trim() || undefined }}
      done={(data) => (data.warnings?.length && after === 'CANCELLED' ? undefined : words.handling.refunded)}
      onDone={(data) => {
        // Where a status was chosen, what the service warns of is what the dialog has said.
        if (after !== 'CANCELLED') return void goOn();
        return data.warnings?.length ? setWarnings(warningsOf(data)) : onClose();
      }}
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
      <Alert color="yellow" title={words.handling.refundNoMoney}>
        {words.handling.refundHint}
      </Alert>
      <DecimalInput
        {...value('amount')}
        isAmount
        label={`${words.handling.amount}, ${currency}`}
        data-autofocus
        decimals={currencyDecimals}
      />
      <TextInput {...text('reason')} label={words.handling.reason} />
      <Select
        {...value('after')}
        label={words.handling.statusAfter}
        description={words.handling.statusAfterHint}
        data={choicesOf(ORDER_STATUSES, words.status)}
        allowDeselect={false}
      />
    </>
  );
}
