import { Button, Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import type { RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { Dialog } from '../../parts/dialog';
import { GoToButton } from '../../parts/go-to';
import { PrintIcon } from '../../parts/icons';
import { SelectMatching } from '../../parts/lists/select-matching';
import type { Selection } from '../../parts/lists/selection';
import { notifyDone } from '../../notices';
import { ORDER_STATUSES, type OrderStatus, StatusBadge } from '../../parts/values/values';
import { words } from '../../words';
import { MOST_TO_PRINT } from './order-sheet';
import { MOST as MOST_TO_SHIP } from './ship/parcels';

type Result = RouteOutput<'POST stores/{storeId}/orders/bulk-status'>['items'][number] & { orderId: number };
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
          {ids.length <= MOST_TO_PRINT && (
            <GoToButton
              variant="default"
              leftSection={<PrintIcon />}
              to={`orders/print?ids=${ids.join(',')}`}
            >
              {words.orders.print}
            </GoToButton>
          )}
          {ids.length <= MOST_TO_SHIP && (
            <GoToButton variant="default" to={`orders/ship?ids=${ids.join(',')}`}>
              {words.orders.ship}
            </GoToButton>
          )}
          <SelectMatching {...selection} />
          <Button variant="subtle" color="gray" onClick={onClear}>
            {words.orders.clear}
          </Button>
        </Group>
      )}
      {results && <ResultDialog results={results} onClose={close} />}
    </>
  );
}

interface StatusMenuProps {
  ids: number[];
  onDone: () => void;
  onFailed: (results: Result[]) => void;
}

function StatusMenu({ ids, onDone, onFailed }: StatusMenuProps) {
  const set = useChange('POST stores/{storeId}/orders/bulk-status');
  const change = async (status: OrderStatus) => {
    const all: Result[] = [];
    for (let i = 0; i < ids.length; i += MOST_AT_ONCE) {
      const orderIds = ids.slice(i, i + MOST_AT_ONCE);
      const answer = await set.make({ orderIds, status });
      if (!answer) return;
      all.push(...answer.items.map((item) => ({ ...item, orderId: orderIds[item.index] })));
    }
    if (all.some(({ error }) => error)) return onFailed(all);
    const before = undoOf(all, status);
    notifyDone(words.orders.bulkDone(all.length, words.status[status]), {
      undo: before && (() => set.send(before)),
    });
    onDone();
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

/** Undo is one call, so it is offered only if all the orders had the same status before. */
function undoOf(all: Result[], status: OrderStatus) {
  const changed = all.filter(
    ({ previousStatus }) => previousStatus !== undefined && previousStatus !== status,
  );
  const [previous, ...others] = new Set(changed.map(({ previousStatus }) => previousStatus!));
  if (!previous || others.length > 0 || changed.length > MOST_AT_ONCE) return undefined;
  return { orderIds: changed.map(({ orderId }) => orderId), status: previous };
}

/** Shows the result for each order if not all could be changed. */
function ResultDialog({ results, onClose }: { results: Result[]; onClose: () => void }) {
  const failed = results.filter(({ error }) => error).length;
  return (
    <Dialog onClose={onClose} title={words.orders.bulkFailed(failed, results.length)} size="lg">
      <table className="table">
        <thead>
          <tr>
            <th>{words.orders.order}</th>
            <th>{words.orders.result}</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ orderId, status, error }) => (
            <tr key={orderId}>
              <td>#{orderId}</td>
              <td>
                {error ? (
                  <Text size="sm" c="red">
                    {error.message}
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
