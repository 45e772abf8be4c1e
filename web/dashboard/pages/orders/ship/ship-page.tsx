import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '../../../address';
import { useStore } from '../../../api/store';
import { Failure } from '../../../parts/failure';
import { Empty, LoadingRows, PageHead } from '../../../parts/states';
import { words } from '../../../words/all';
import { MOST, parcelsOf } from './parcels';
import { ShipForm } from './ship-form';

/** Ships several orders: those of the address, or all that wait for it. */
export default function ShipPage() {
  const { id } = useStore();
  const [{ ids = '' }] = useSearch();
  const numbers = [...new Set(ids.match(/\d{1,15}/g) ?? [])].slice(0, MOST).map(Number);
  const { data, error, isPending, refetch } = useQuery({
    // Does not begin with the store: what is shipped stays in its line until the page is left.
    queryKey: ['orders to ship', id, numbers],
    queryFn: () => parcelsOf(id, numbers),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Stack maw={960}>
      <PageHead title={words.orders.shipSeveral} hint={words.handling.shipSeveralHint} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <LoadingRows />}
      {data?.length === 0 && <Empty title={words.handling.nothingToShip} />}
      {data && data.length > 0 && <ShipForm key={ids} parcels={data} />}
    </Stack>
  );
}
