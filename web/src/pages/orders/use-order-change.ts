import { useState } from 'react';
import { run } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { Refusal } from '../../api/refusal';
import { useStore } from '../../api/store';
import { fieldInWords } from '../../parts/failure';
import type { Order } from './order-sheet';

/** What the dialogs of an order share: the version that was shown, what was refused and where, and an order changed meanwhile. */
export function useOrderChange<Data>(
  order: Order,
  send: (version: string) => Promise<Data>,
  onDone: (data: Data) => void,
  fields: readonly string[] = [],
) {
  const { id: storeId } = useStore();
  const refresh = useRefresh();
  const [version, setVersion] = useState(order.updatedAt);
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Order | null>(null);

  const submit = async (seen = version) => {
    setBusy(true);
    setError(null);
    try {
      const data = await send(seen);
      void refresh();
      onDone(data);
    } catch (caught) {
      if (caught instanceof Refusal && caught.code === 'precondition_failed') {
        setTheirs(await run(storeId, 'get_order', { orderId: order.id }));
      } else setError(caught as Error);
    } finally {
      setBusy(false);
    }
  };
  const refused = error instanceof Refusal ? error.fields : {};
  const errorOf = (name: string) => (name in refused ? fieldInWords(refused[name]) : undefined);
  return {
    ...{ submit, busy, theirs, errorOf },
    /** What no field can show. */
    failure: error && !fields.some((name) => name in refused) ? error : null,
    keepMine: () => {
      setVersion(theirs!.updatedAt);
      setTheirs(null);
      void submit(theirs!.updatedAt);
    },
    takeTheirs: () => {
      setVersion(theirs!.updatedAt);
      setTheirs(null);
    },
  };
}
