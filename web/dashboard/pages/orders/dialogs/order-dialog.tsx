import { Alert, Button, Group, type ModalProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/change';
import { ask, type CallName, type InputOf, type OutputOf } from '../../../api/client';
import { useStore } from '../../../api/store';
import { Dialog } from '../../../parts/dialog';
import { ConflictDialog } from '../../../parts/forms/conflict';
import { Form } from '../../../parts/forms/form';
import { words } from '../../../words';
import type { Order } from '../order';

interface Props<Name extends CallName> extends Pick<ModalProps, 'size' | 'onClose'> {
  order: Order;
  title: string;
  submit: { label: string; color?: string; disabled?: boolean };
  /** The values of the form, under the field names that the service uses in refusals. */
  values: object;
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
export function OrderDialog<Name extends CallName>(props: Props<Name>) {
  const { order, title, submit, values, input, conflict, onClose, size, children } = props;
  const { id: storeId } = useStore();
  const [version, setVersion] = useState(order.updatedAt);
  const change = useChange(props.change, {
    done: props.done,
    refusals: 'form',
    reread: () => ask(storeId, 'get_order', { orderId: order.id }),
    onDone: props.onDone,
  });
  const { theirs, dropTheirs } = change;
  const make = (ifMatch: string) => {
    setVersion(ifMatch);
    void change.make(input, { ifMatch });
  };
  return (
    <Dialog onClose={onClose} title={`${title}: ${words.orders.one(order.id)}`} size={size}>
      <Form {...{ values, change, submit }} onSubmit={() => make(version)} onCancel={onClose}>
        {children}
      </Form>
      {theirs && (
        <ConflictDialog
          yours={conflict.yours}
          theirs={conflict.theirs(theirs)}
          texts={{ labels: words.orders }}
          onKeepMine={() => make(theirs.updatedAt)}
          onTakeTheirs={() => {
            setVersion(theirs.updatedAt);
            conflict.onTakeTheirs?.(theirs);
            dropTheirs();
          }}
        />
      )}
    </Dialog>
  );
}

interface DoneButProps {
  title: string;
  heading?: string;
  text: ReactNode;
  onClose: () => void;
}

/** Shown when a change succeeded but left a warning, or something that could not be done. */
export function DoneBut({ title, heading, text, onClose }: DoneButProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Alert color="yellow" role="alert" title={heading}>
        {text}
      </Alert>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{words.common.close}</Button>
      </Group>
    </Dialog>
  );
}
