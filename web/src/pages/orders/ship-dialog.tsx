import { Alert, Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Output, run } from '../../api/client';
import { useStore } from '../../api/store';
import { ConflictDialog } from '../../parts/conflict';
import { Failure } from '../../parts/failure';
import { notifyDone } from '../../parts/notify';
import { words } from '../../words';
import type { Order } from './order-sheet';
import { useOrderChange } from './use-order-change';

const FIELDS = ['carrier', 'trackingNumber', 'trackingUrl'] as const;
type Tracking = Record<(typeof FIELDS)[number], string>;
const trackingOf = (order: Order): Tracking =>
  Object.fromEntries(FIELDS.map((name) => [name, order[name] ?? ''])) as unknown as Tracking;

/** Sends the order on its way, and tells the shopper when that is wanted. */
export function ShipDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { id: storeId } = useStore();
  const [tracking, setTracking] = useState(() => trackingOf(order));
  const [notify, setNotify] = useState(order.status !== 'SHIPPED');
  const [untold, setUntold] = useState<Output<'ship_order'>['notifyFailureReason'] | null>(null);
  const given = Object.fromEntries(Object.entries(tracking).filter(([, value]) => value.trim() !== ''));
  const change = useOrderChange(
    order,
    (ifMatch) => run(storeId, 'ship_order', { orderId: order.id, ...given, notify }, { ifMatch }),
    ({ notified, notifyFailureReason }) => {
      if (notify && !notified) return setUntold(notifyFailureReason ?? 'send_failed');
      notifyDone(notified ? words.orders.shippedAndTold : words.orders.shipped);
      onClose();
    },
    FIELDS,
  );
  if (untold) {
    return (
      <Modal opened onClose={onClose} title={words.orders.shipped}>
        <Alert color="yellow" role="alert" title={words.orders.untold}>
          {words.orders.untoldReasons[untold]}
        </Alert>
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>{words.common.close}</Button>
        </Group>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={`${words.orders.ship}: ${words.orders.one(order.id)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change.submit();
        }}
      >
        <Stack gap="sm">
          {change.failure && <Failure error={change.failure} />}
          {FIELDS.map((name, i) => (
            <TextInput
              key={name}
              label={words.orders[name]}
              data-autofocus={i === 0 || undefined}
              value={tracking[name]}
              error={change.errorOf(name)}
              onChange={(event) => setTracking({ ...tracking, [name]: event.currentTarget.value })}
            />
          ))}
          <Switch label={words.orders.notify} checked={notify} onChange={(event) => setNotify(event.currentTarget.checked)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button type="submit" loading={change.busy} disabled={Object.keys(given).length === 0}>
              {words.orders.ship}
            </Button>
          </Group>
        </Stack>
      </form>
      {change.theirs && (
        <ConflictDialog
          yours={{ ...given, status: words.status.SHIPPED }}
          theirs={{ ...change.theirs, status: words.status[change.theirs.status] }}
          onKeepMine={change.keepMine}
          onTakeTheirs={() => {
            setTracking(trackingOf(change.theirs!));
            change.takeTheirs();
          }}
        />
      )}
    </Modal>
  );
}
