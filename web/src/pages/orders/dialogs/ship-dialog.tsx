import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Output, run } from '../../../api/client';
import { useStore } from '../../../api/store';
import { notifyDone } from '../../../parts/notify';
import { words } from '../../../words';
import { DoneBut, OrderDialog } from './order-dialog';
import type { Order } from '../order-sheet';

const FIELDS = ['carrier', 'trackingNumber', 'trackingUrl'] as const;
type Tracking = Record<(typeof FIELDS)[number], string>;
const trackingOf = (order: Order): Tracking =>
  Object.fromEntries(FIELDS.map((name) => [name, order[name] ?? ''])) as unknown as Tracking;

/** Marks the order as shipped, and optionally informs the shopper. */
export function ShipDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { id: storeId } = useStore();
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
      send={(ifMatch) => run(storeId, 'ship_order', { orderId: order.id, ...given, notify }, { ifMatch })}
      onDone={({ notified, notifyFailureReason }) => {
        if (notify && !notified) return setUntold(notifyFailureReason ?? 'send_failed');
        notifyDone(notified ? words.orders.shippedAndTold : words.orders.shipped);
        onClose();
      }}
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
