import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { target } from '../address';
import { addressOf } from '../api/client';
import { fetched } from '../api/code';
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
 * pages show when there is more. A new order is told on every page.
 */
export function useLiveChanges(): void {
  const { id } = useStore();
  const client = useQueryClient();
  const router = useRouter();
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
    const onPlaced = ({ data }: MessageEvent<string>) => {
      const { orderId } = JSON.parse(data) as { orderId: number };
      const open = (only: number | null) =>
        void router.navigate(target(id, only === null ? 'orders' : `orders/${only}`));
      // Their code is fetched with the first one.
      fetched(() => import('../notify')).then(
        ({ notifyPlaced }) => notifyPlaced(orderId, open),
        () => undefined,
      );
    };
    const close = () => {
      stream?.close();
      stream = null;
    };
    const follow = () => {
      close();
      if (document.hidden) return;
      stream = new EventSource(addressOf('GET stores/{storeId}/events', { storeId: id }));
      for (const name of CHANGES) stream.addEventListener(name, onChange);
      stream.addEventListener('order.placed', onPlaced);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      close();
    };
  }, [client, id, router]);
}
