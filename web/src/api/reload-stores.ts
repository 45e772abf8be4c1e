import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/** Reads the stores again after a change of one's role, or of a store's time zone. */
export function useReloadStores() {
  const client = useQueryClient();
  const router = useRouter();
  return () =>
    client.invalidateQueries({ queryKey: ['stores'], refetchType: 'all' }).then(() => router.invalidate());
}
