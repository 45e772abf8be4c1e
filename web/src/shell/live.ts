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
/** Changes come in bursts. The shown data is read once per burst. */
const PAUSE_MS = 1_000;

/**
 * Reads the shown data again when the store changes. Only while the tab is visible, because a browser opens
 * few connections to one host. Lists are not read again, so that no row moves under the reader's hand; their
 * pages show when there is more.
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
