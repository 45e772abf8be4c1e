import { Button } from '@mantine/core';
import { addressOf, type RouteInput } from '../../api/client';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { DownloadIcon } from '../icons';

type Export = `GET stores/{storeId}/${'orders' | 'customers' | 'products'}/export.csv`;

/** A link that downloads all records that match the filters, as a file which the browser streams to disk. */
export function ExportLink<Name extends Export>({
  route,
  filters,
}: {
  route: Name;
  filters: Omit<RouteInput<Name>, 'storeId'>;
}) {
  const { id } = useStore();
  const address = addressOf(route, { ...filters, storeId: id } as RouteInput<Name>);
  return (
    <Button component="a" variant="default" href={address.href} download leftSection={<DownloadIcon />}>
      {words.common.exportCsv}
    </Button>
  );
}
