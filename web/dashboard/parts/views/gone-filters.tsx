import { Alert, Button, Group } from '@mantine/core';
import { useSearch } from '../../address';
import { useRead } from '../../api/queries';
import { Refusal } from '../../api/refusal';
import { words } from '../../words';

/** Whether the record that a filter names has been deleted since. */
export function useIsGone(
  operation: 'get_customer' | 'get_product' | 'get_category' | 'get_brand',
  id: string | undefined,
): boolean {
  const { error } = useRead(operation, { id: id ?? '' }, { enabled: id !== undefined });
  return id !== undefined && error instanceof Refusal && error.code === 'not_found';
}

/**
 * Names the filters of the address by which the list cannot go any more, as of a view that was saved long
 * ago.
 * @param gone the label of each, by its name in the address
 */
export function GoneFilters({ gone }: { gone: Record<string, string | false> }) {
  const [, setSearch] = useSearch();
  return Object.entries(gone).map(
    ([name, label]) =>
      label !== false && (
        <Alert key={name} color="yellow" role="status">
          <Group justify="space-between">
            {words.views.gone(label)}
            <Button size="compact-sm" variant="default" onClick={() => setSearch({ [name]: null })}>
              {words.views.takeAway}
            </Button>
          </Group>
        </Alert>
      ),
  );
}

/** The address without the filters by which the list cannot go. */
export const withoutGone = (search: Record<string, string>, gone: Record<string, string | false>) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !gone[name]));
