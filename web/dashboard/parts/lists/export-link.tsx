import { Button } from '@mantine/core';
import { addressOf, type RouteInput } from '../../api/client';
import { useStore } from '../../api/store';
import { words } from '../../words';
import { DownloadIcon } from '../icons';

type Export = `GET stores/{storeId}/${'orders' | 'customers' | 'products'}/export.csv`;

/**
 * Links that download all records that match the filters, as a file which the browser streams to disk: for
 * most programs, and for spreadsheets where the comma separates decimals.
 */
export function ExportLink<Name extends Export>({
  route,
  filters,
}: {
  route: Name;
  filters: Omit<RouteInput<Name>, 'storeId'>;
}) {
  const { id } = useStore();
  const address = (more: object = {}) =>
    addressOf(route, { ...filters, ...more, storeId: id } as RouteInput<Name>).href;
  return (
    <Button.Group>
      <Button component="a" variant="default" href={address()} download leftSection={<DownloadIcon />}>
        {words.common.exportCsv}
      </Button>
      <Button
        component="a"
        variant="default"
        px="xs"
        href={address({ decimalComma: true })}
        download
        aria-label={words.common.exportSemicolons}
        title={words.common.exportSemicolons}
      >
        ;
      </Button>
    </Button.Group>
  );
}
