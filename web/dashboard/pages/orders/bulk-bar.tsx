import { Button, type ButtonProps, Group, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestIdOf, type RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { inWords, itemInWords } from '../../api/telling/in-words';
import { Refusal } from '../../api/refusal';
import { useStore } from '../../api/store';
import { type Made, undoAll } from '../../api/undo';
import { Dialog } from '../../parts/dialog';
import { GoToButton } from '../../parts/go-to';
import { PrintIcon } from '../../parts/icons';
import { SelectMatching } from '../../parts/lists/select-matching';
import type { Selection } from '../../parts/lists/selection';
import { notifyDone } from '../../notify';
import { ORDER_STATUSES, type OrderStatus, StatusBadge } from '../../parts/values/values';
import { words } from '../../words/all';
import { MOST_TO_PRINT } from './order';
import { MOST as MOST_TO_SHIP } from './ship/parcels';

type Result = RouteOutput<'POST stores/{storeId}/orders/bulk-status'>['items'][number] & {
  orderId: number;
  requestId: string | null;
};
/** The route's limit. */
const MOST_AT_ONCE = 200;

/** The actions on the selected orders. The bar is below the list, so that no row moves when it appears. */
export function BulkBar({ selection }: { selection: Selection }) {
  const ids = [...selection.selected].map(Number);
  const onClear = selection.clear;
  const [results, setResults] = useState<Result[] | null>(null);
  const close = () => {
    setResults(null);
    onClear();
  };
  return (
    <>
      {ids.length > 0 && (
        <Group className="surface bulk-bar" role="region" aria-label={words.common.actions} gap="xs" p="xs">
          <Text size="sm" fw={600} px="xs" aria-live="polite">
            {words.common.selected(ids.length)}
          </Text>
          <StatusMenu ids={ids} onDone={onClear} onFailed={setResults} />
          <GoWith ids={ids} most={MOST_TO_PRINT} to="orders/print" leftSection={<PrintIcon />}>
            {words.orders.print}
          </GoWith>
          <GoWith ids={ids} most={MOST_TO_SHIP} to="orders/ship">
            {words.orders.ship}
          </GoWith>
          <SelectMatching {...selection} />
          <Button variant="subtle" color="gray" onClick={onClear}>
            {words.handling.clear}
          </Button>
        </Group>
      )}
      {results && <ResultDialog results={results} onClose={close} />}
    </>
  );
}

interface GoWithProps extends ButtonProps {
  ids: number[];
  /** The most orders that the page takes. */
  most: number;
  to: string;
  children: string;
}

/** A link to a page about the orders; a button that says why not if they are too many. */
function GoWith({ ids, most, to, children, ...props }: GoWithProps) {
  if (ids.length <= most)
    return (
      <GoToButton variant="default" {...props} to={`${to}?ids=${ids.join(',')}`}>
        {children}
      </GoToButton>
    );
  return (
    <Button variant="default" {...props} disabled>
      {children} ({words.handling.upTo(most)})
    </Button>
  );
}

interface StatusMenuProps {
  ids: number[];
  onDone: () => void;
  onFailed: (results: Result[]) => void;
}

function StatusMenu({ ids, onDone, onFailed }: StatusMenuProps) {
  const set = useChange('POST stores/{storeId}/orders/bulk-status');
  const undo = useUndo();
  const change = async (status: OrderStatus) => {
    const all: Result[] = [];
    for (let i = 0; i < ids.length; i += MOST_AT_ONCE) {
      const orderIds = ids.slice(i, i + MOST_AT_ONCE);
      const answer = await set.make({ orderIds, status });
      if (!answer) break;
      const requestId = requestIdOf(answer);
      all.push(...answer.items.map((item) => ({ ...item, orderId: orderIds[item.index], requestId })));
    }
    const done = all.filter(({ error }) => !error);
    const changed = done.filter(({ previousStatus }) => previousStatus !== status);
    if (done.length > 0)
      notifyDone(words.handling.bulkDone(done.length, words.status[status]), {
        undo: changed.length === 0 ? undefined : () => undo(changed),
      });
    if (done.length < all.length) onFailed(all);
    else if (all.length === ids.length) onDone();
  };
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button loading={set.isPending}>{words.orders.setStatus}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ORDER_STATUSES.map((status) => (
          <Menu.Item key={status} onClick={() => void change(status)}>
            {words.status[status]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The most orders that one sentence names. */
const MOST_NAMED = 20;

/** Takes the orders back one by one, so that what somebody has changed since stays; it says which. */
function useUndo() {
  const store = useStore();
  const client = useQueryClient();
  return async (changed: Result[]) => {
    const made = changed.map(({ orderId, requestId }): Made & { orderId: number } => ({
      ...{ orderId, requestId },
      ...{ operation: 'set_order_status', target: `order:${orderId}` },
    }));
    const left = await undoAll(store.id, made);
    void client.invalidateQueries({ queryKey: [store.id] });
    if (left.length === 0) return;
    const reasons = new Map<string, number[]>();
    for (const { made: one, error } of left.toReversed()) {
      const isChanged = error instanceof Refusal && error.code === 'precondition_failed';
      const reason = isChanged ? words.handling.changedSince : inWords(error);
      reasons.set(reason, [...(reasons.get(reason) ?? []), one.orderId]);
    }
    const { undoneOf } = words.handling;
    const texts = [...reasons].map(([reason, ids]) => `${reason} ${named(ids)}`);
    throw new Error([undoneOf(made.length - left.length, made.length), ...texts].join(' '));
  };
}

function named(ids: number[]): string {
  const left = ids.length - MOST_NAMED;
  const first = ids.slice(0, MOST_NAMED).map((id) => `#${id}`);
  return `${[...first, ...(left > 0 ? [words.common.andMore(left)] : [])].join(', ')}.`;
}

/** Shows the result for each order if not all could be changed. */
function ResultDialog({ results, onClose }: { results: Result[]; onClose: () => void }) {
  const failed = results.filter(({ error }) => error).length;
  return (
    <Dialog onClose={onClose} title={words.handling.bulkFailed(failed, results.length)} size="lg">
      <table className="table">
        <thead>
          <tr>
            <th>{words.orders.order}</th>
            <th>{words.handling.result}</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ orderId, status, error }) => (
            <tr key={orderId}>
              <td>#{orderId}</td>
              <td>
                {error ? (
                  <Text size="sm" c="red">
                    {itemInWords(error)}
                  </Text>
                ) : (
                  status && <StatusBadge status={status} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{words.common.close}</Button>
      </Group>
    </Dialog>
  );
}
