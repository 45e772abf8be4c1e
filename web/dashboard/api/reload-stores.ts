import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type Store, useStore } from './store';

/**
 * Reads the stores again after a change of one's role, or of the open store. What is known of the change is
 * there at once, for a page that is opened before they have been read.
 */
export function useReloadStores() {
  const client = useQueryClient();
  const router = useRouter();
  const { id } = useStore();
  return (known: Partial<Store> = {}) => {
    client.setQueryData<Store[]>(['stores'], (all) =>
      all?.map((store) => (store.id === id ? { ...store, ...known } : store)),
    );
    return client
      .invalidateQueries({ queryKey: ['stores'], refetchType: 'all' })
      .then(() => router.invalidate());
  };
}
