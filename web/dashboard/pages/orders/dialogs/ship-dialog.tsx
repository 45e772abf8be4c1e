import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../api/client';
import { type Inputs, inputsOf, useRow } from '../../../parts/inputs/inputs-of';
import { words } from '../../../words/all';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order';

const FIELDS = ['carrier', 'trackingNumber', 'trackingUrl'] as const;
type Untold = NonNullable<Output<'ship_order'>['notifyFailureReason']>;
type Tracking = Record<(typeof FIELDS)[number], string>;
const trackingOf = ({ carrier, trackingNumber, trackingUrl }: Order): Tracking => ({
  carrier: carrier ?? '',
  trackingNumber: trackingNumber ?? '',
  trackingUrl: trackingUrl ?? '',
});

/** Marks the order as shipped, and optionally informs the shopper. */
export function ShipDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [values, change] = useRow({ ...trackingOf(order), notify: order.status !== 'SHIPPED' });
  const [untold, setUntold] = useState<Untold | null>(null);
  if (untold) {
    const reason = words.orders.untoldReasons[untold];
    return (
      <DoneBut
        title={words.handling.shipped}
        heading={words.handling.untold}
        text={reason}
        onClose={onClose}
      />
    );
  }
  const { notify, ...tracking } = values;
  const given = Object.fromEntries(Object.entries(tracking).filter(([, value]) => value.trim() !== ''));
  return (
    <OrderDialog
      order={order}
      title={words.orders.ship}
      submit={{ label: words.orders.ship, disabled: Object.keys(given).length === 0 }}
      values={values}
      change="ship_order"
      input={{ orderId: order.id, ...given, notify }}
      done={({ notified }) => doneText(notify, notified)}
      onDone={({ notified, notifyFailureReason }) =>
        notify && !notified ? setUntold(notifyFailureReason ?? 'send_failed') : onClose()
      }
      conflict={{
        yours: { ...given, status: words.status.SHIPPED },
        theirs: (theirs) => ({ ...theirs, status: words.status[theirs.status] }),
        onTakeTheirs: (theirs) => change(trackingOf(theirs)),
      }}
      onClose={onClose}
    >
      {(errorOf) => <ShipInputs {...inputsOf(values, change, errorOf)} />}
    </OrderDialog>
  );
}

function doneText(notify: boolean, notified = false) {
  if (notify && !notified) return undefined;
  return notified ? words.handling.shippedAndTold : words.handling.shipped;
}

const ShipInputs = ({ text, switch: flag }: Inputs<Tracking & { notify: boolean }>) => (
  <>
    {FIELDS.map((name, i) => (
      <TextInput
        key={name}
        {...text(name)}
        label={words.orders[name]}
        data-autofocus={i === 0 || undefined}
      />
    ))}
    <Switch {...flag('notify')} label={words.handling.notify} />
  </>
);
