import { Stack } from '@mantine/core';
import { useOperation } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words';

export default function OverviewPage() {
  const overview = useOperation('get_store_overview', {});
  return (
    <Stack>
      <PageHead title={words.overview.title} />
      {overview.error && <Failure error={overview.error} retry={() => void overview.refetch()} />}
      {overview.isPending && <LoadingBlock />}
      {overview.data && <Section title={overview.data.store.name}>{overview.data.store.currency}</Section>}
    </Stack>
  );
}
