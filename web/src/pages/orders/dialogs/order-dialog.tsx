import { Alert, Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/change';
import { ask, type CallName, type InputOf, type OutputOf } from '../../../api/client';
import { useStore } from '../../../api/store';
import { ConflictDialog } from '../../../parts/forms/conflict';
import { Failure } from '../../../parts/failure';
import { refused } from '../../../parts/forms/refused';
import { words } from '../../../words';
import type { Order } from '../order-sheet';

interface Props<Name extends CallName> extends Pick<ModalProps, 'size' | 'onClose'> {
  order: Order;
  title: string;
  submit: { label: string; color?: string; disabled?: boolean };
  /** The values of the form, under the field names that the service uses in refusals. */
  values: Record<string, unknown>;
  /** The change, which is made for the version of the order that was shown, and its input. */
  change: Name;
  input: InputOf<Name>;
  /** What is said when it is made. */
  done: string | ((data: OutputOf<Name>) => string | undefined);
  onDone: (data: OutputOf<Name>) => void;
  /** For an order that somebody else has changed in the meantime: the typed values next to the saved ones. */
  conflict: {
    yours: Record<string, unknown>;
    theirs: (order: Order) => Record<string, unknown>;
    onTakeTheirs?: (order: Order) => void;
  };
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
}

/** A form that changes an order, shown above the page. Displays refusals and conflicts. */
export function OrderDialog<Name extends CallName>({
  order,
  title,
  submit,
  values,
  change,
  input,
  done,
  onDone,
  conflict,
  onClose,
  size,
  children,
}: Props<Name>) {
  const { id: storeId } = useStore();
  const [version, setVersion] = useState(order.updatedAt);
  const { make, isPending, error, theirs, dropTheirs } = useChange(change, {
    done,
    refusals: 'form',
    reread: () => ask(storeId, 'get_order', { orderId: order.id }),
    onDone,
  });
  const errors = refused(error, values);
  return (
    <Modal opened onClose={onClose} title={`${title}: ${words.orders.one(order.id)}`} size={size}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make(input, { ifMatch: version });
        }}
      >
        <Stack gap="sm">
          {errors.rest !== null && <Failure error={error!} />}
          {children(errors.of)}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button type="submit" color={submit.color} loading={isPending} disabled={submit.disabled}>
              {submit.label}
            </Button>
          </Group>
        </Stack>
      </form>
      {theirs && (
        <ConflictDialog
          yours={conflict.yours}
          theirs={conflict.theirs(theirs)}
          onKeepMine={() => {
            setVersion(theirs.updatedAt);
            void make(input, { ifMatch: theirs.updatedAt });
          }}
          onTakeTheirs={() => {
            setVersion(theirs.updatedAt);
            conflict.onTakeTheirs?.(theirs);
            dropTheirs();
          }}
        />
      )}
    </Modal>
  );
}

/** Shown when a change succeeded but left a warning, or something that could not be done. */
export function DoneBut({
  title,
  heading,
  text,
  onClose,
}: {
  title: string;
  heading?: string;
  text: string;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Alert color="yellow" role="alert" title={heading}>
        {text}
      </Alert>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{words.common.close}</Button>
      </Group>
    </Modal>
  );
}
