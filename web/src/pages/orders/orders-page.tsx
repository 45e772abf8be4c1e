import { Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useSearch } from '../../address';
import type { Output } from '../../api/client';
import { useOperationPages } from '../../api/queries';
import { type Column, DataList } from '../../parts/data-list';
import { SearchIcon } from '../../parts/icons';
import { PageHead } from '../../parts/states';
import { Money, ORDER_STATUSES, type OrderStatus, StatusBadge, When } from '../../parts/values';
import { words } from '../../words';

type Row = Output<'find_orders'>['items'][number];

const COLUMNS = (): Column<Row>[] => [
  { key: 'id', label: words.orders.order, render: ({ id }) => `#${id}` },
  { key: 'shopper', label: words.orders.shopper, render: ({ customerName }) => customerName },
  { key: 'status', label: words.orders.status, render: ({ status }) => <StatusBadge status={status} /> },
  { key: 'items', label: words.orders.items, render: ({ items }) => items, wideOnly: true },
  { key: 'total', label: words.orders.total, render: ({ totalPrice }) => <Money minor={totalPrice} />, align: 'end' },
  { key: 'placed', label: words.orders.placed, render: ({ createdAt }) => <When iso={createdAt} /> },
];

export default function OrdersPage() {
  const [search, setSearch] = useSearch();
  const isFiltered = Boolean(search.status ?? search.text);
  const query = useOperationPages('find_orders', {
    text: search.text,
    statuses: search.status ? [search.status as OrderStatus] : undefined,
  });
  const find = useDebouncedCallback((text: string) => setSearch({ text }), 250);
  return (
    <Stack>
      <PageHead title={words.orders.title} />
      <nav className="tabs" aria-label={words.orders.status}>
        {[undefined, ...ORDER_STATUSES].map((status) => (
          <Link
            key={status ?? ''}
            to="."
            search={{ ...search, status } as never}
            className="tab"
            activeOptions={{ exact: true, explicitUndefined: true }}
          >
            {status ? words.status[status] : words.common.all}
          </Link>
        ))}
      </nav>
      <TextInput
        aria-label={words.orders.find}
        placeholder={words.orders.find}
        leftSection={<SearchIcon size={16} />}
        defaultValue={search.text}
        onChange={(event) => find(event.currentTarget.value)}
      />
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => String(id)}
        rowName={({ id }) => words.orders.one(id)}
        to={({ id }) => `orders/${id}`}
        empty={
          isFiltered
            ? { title: words.orders.emptyFiltered, hint: words.orders.emptyFilteredHint }
            : { title: words.orders.empty, hint: words.orders.emptyHint }
        }
      />
    </Stack>
  );
}
