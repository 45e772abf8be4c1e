import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../api/client';
import { words } from '../../../words';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order-sheet';

const FIELDS = ['carrier', 'trackingNumber', 'trackingUrl'] as const;
type Tracking = Record<(typeof FIELDS)[number], string>;
const trackingOf = ({ carrier, trackingNumber, trackingUrl }: Order): Tracking => ({
  carrier: carrier ?? '',
  trackingNumber: trackingNumber ?? '',
  trackingUrl: trackingUrl ?? '',
});

/** Marks the order as shipped, and optionally informs the shopper. */
export function ShipDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [tracking, setTracking] = useState(() => trackingOf(order));
  const [notify, setNotify] = useState(order.status !== 'SHIPPED');
  const [untold, setUntold] = useState<Output<'ship_order'>['notifyFailureReason'] | null>(null);
  const given = Object.fromEntries(Object.entries(tracking).filter(([, value]) => value.trim() !== ''));
  if (untold) {
    const reason = words.orders.untoldReasons[untold];
    return (
      <DoneBut title={words.orders.shipped} heading={words.orders.untold} text={reason} onClose={onClose} />
    );
  }
  return (
    <OrderDialog
      order={order}
      title={words.orders.ship}
      submit={{ label: words.orders.ship, disabled: Object.keys(given).length === 0 }}
      values={tracking}
      change="ship_order"
      input={{ orderId: order.id, ...given, notify }}
      done={({ notified }) => {
        if (notify && !notified) return undefined;
        return notified ? words.orders.shippedAndTold : words.orders.shipped;
      }}
      onDone={({ notified, notifyFailureReason }) =>
        notify && !notified ? setUntold(notifyFailureReason ?? 'send_failed') : onClose()
      }
      conflict={{
        yours: { ...given, status: words.status.SHIPPED },
        theirs: (theirs) => ({ ...theirs, status: words.status[theirs.status] }),
        onTakeTheirs: (theirs) => setTracking(trackingOf(theirs)),
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {FIELDS.map((name, i) => (
            <TextInput
              key={name}
              label={words.orders[name]}
              data-autofocus={i === 0 || undefined}
              value={tracking[name]}
              error={errorOf(name)}
              onChange={(event) => setTracking({ ...tracking, [name]: event.currentTarget.value })}
            />
          ))}
          <Switch
            label={words.orders.notify}
            checked={notify}
            onChange={(event) => setNotify(event.currentTarget.checked)}
          />
        </>
      )}
    </OrderDialog>
  );
}
