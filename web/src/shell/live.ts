import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { addressOf } from '../api/client';
import { useStore } from '../api/store';

const CHANGES = [
  'order.placed',
  'order.changed',
  'order.deleted',
  'delivery.failed',
  'campaign.progress',
  'record.changed',
  'refetch',
];
/** Changes come in bursts; what is shown is read once for each. */
const PAUSE_MS = 1_000;

/**
 * Reads again what is shown when the store changes under it. Only while the tab is looked at: a browser has few connections to one
 * host. Lists stay as they are, so that no row moves under the reader's hand; the pages say themselves when there is more.
 */
export function useLiveChanges(): void {
  const { id } = useStore();
  const client = useQueryClient();
  useEffect(() => {
    let stream: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      void client.invalidateQueries({
        queryKey: [id],
        predicate: ({ queryKey }) => !String(queryKey[1]).endsWith(' pages'),
      });
    };
    const onChange = () => (timer ??= setTimeout(refresh, PAUSE_MS));
    const close = () => {
      stream?.close();
      stream = null;
    };
    const follow = () => {
      close();
      if (document.hidden) return;
      stream = new EventSource(addressOf('GET stores/{storeId}/events', { storeId: id }));
      for (const name of CHANGES) stream.addEventListener(name, onChange);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      close();
    };
  }, [client, id]);
}
