import './orders.css';
import { Button, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useSearch } from '../../address';
import type { InputOf, OutputOf } from '../../api/client';
import { useRead, usePages } from '../../api/queries';
import { GoToButton } from '../../parts/go-to';
import { type Column, DataList } from '../../parts/lists/data-list';
import { later, useOnce } from '../../parts/lazy-component';
import { useSelection } from '../../parts/lists/selection';
import { ExportLink } from '../../parts/lists/export-link';
import { PageHead } from '../../parts/states';
import { shownName } from '../../parts/values/customer-name';
import { Money, StatusBadge, When } from '../../parts/values/values';
import { GoneFilters, withoutGone } from '../../parts/views/gone-filters';
import { SavedViews } from '../../parts/views/saved-views';
import { withZone } from '../../parts/values/time-zone';
import { words } from '../../words';
import { PaidBadge } from './paid';
import { CustomerFilter, FilterBar, filtersOf, LIST, REFRESH_MS, StatusTabs, useGone } from './filters';

const BulkBar = later(() => import('./bulk-bar').then((file) => file.BulkBar));

type Row = OutputOf<typeof LIST>['items'][number];

const COLUMNS = (): Column<Row>[] => [
  { key: 'id', label: words.orders.order, render: ({ id }) => <span className="numeric">#{id}</span> },
  {
    key: 'shopper',
    label: words.orders.shopper,
    render: ({ customerName, username, customerId }) =>
      shownName({ id: customerId, name: customerName, username }),
    isShort: true,
    onCard: 'line',
  },
  {
    key: 'status',
    label: words.orders.status,
    render: (order) => (
      <span className="badges">
        <StatusBadge status={order.status} />
        <PaidBadge status={order.status} money={order} />
      </span>
    ),
    onCard: 'badge',
  },
  { key: 'items', label: words.orders.items, render: ({ items }) => items, wideOnly: true },
  {
    key: 'total',
    label: words.orders.total,
    render: ({ totalPrice }) => <Money minor={totalPrice} />,
    align: 'end',
    onCard: 'head',
  },
  {
    key: 'placed',
    label: words.orders.placed,
    render: ({ createdAt }) => <When iso={createdAt} />,
    onCard: 'line',
  },
];

export default function OrdersPage() {
  const [search] = useSearch();
  const gone = useGone(search);
  const { customerId } = withoutGone(search, gone);
  return (
    <Stack>
      <PageHead title={words.orders.title} hint={withZone()}>
        <ExportLink
          route="GET stores/{storeId}/orders/export.csv"
          filters={{ ...filtersOf(search), customerId }}
        />
        <GoToButton variant="default" to="orders/ship">
          {words.orders.shipSeveral}
        </GoToButton>
        <GoToButton to="orders/new">{words.pages.newOrder}</GoToButton>
      </PageHead>
      <SavedViews page="orders" />
      <StatusTabs />
      <FilterBar />
      <GoneFilters gone={gone} />
      {customerId && <CustomerFilter id={customerId} />}
      <FoundOrders customerId={customerId} />
    </Stack>
  );
}

/** A separate component, so that the answer does not draw what stands above it again. */
function FoundOrders({ customerId }: { customerId: string | undefined }) {
  const [search] = useSearch();
  const filters = useMemo(() => ({ ...filtersOf(search), customerId }), [search, customerId]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const query = usePages(LIST, filters);
  const selection = useSelection(LIST, filters, query.rows);
  const hasChosen = useOnce(selection.selected.size > 0);
  return (
    <>
      <div role="status" className="news">
        {query.data && !filters.sort && (
          <Newer
            filters={filters}
            shown={query.data.pages[0]}
            shownAt={query.dataUpdatedAt}
            onShow={() => void query.refetch()}
          />
        )}
      </div>
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => String(id)}
        rowName={({ id }) => words.orders.one(id)}
        to={({ id }) => `orders/${id}`}
        selected={selection.selected}
        onSelect={selection.select}
        empty={
          isFiltered
            ? { title: words.orders.emptyFiltered, hint: words.orders.emptyFilteredHint }
            : { title: words.orders.empty, hint: words.orders.emptyHint }
        }
      />
      {hasChosen && <BulkBar selection={selection} />}
    </>
  );
}

interface NewerProps {
  filters: InputOf<typeof LIST>;
  /** The first page of the list, with the newest first, and when it was read. */
  shown: OutputOf<typeof LIST>;
  shownAt: number;
  onShow: () => void;
}

/**
 * Says how many orders were placed since the newest one in the list. The list itself does not change, so
 * that no row moves under the reader's hand. This is a separate component because the page would otherwise
 * draw the whole list again at each refresh.
 */
function Newer({ filters, shown, shownAt, onShow }: NewerProps) {
  const known = { initialData: shown, initialDataUpdatedAt: shownAt };
  const head = useRead(LIST, { ...filters, take: 20 }, { refetchInterval: REFRESH_MS, ...known });
  const newest = shown.items[0]?.createdAt ?? '';
  const count = head.data?.items.filter(({ createdAt }) => createdAt > newest).length ?? 0;
  return (
    count > 0 && (
      <Button fullWidth variant="light" onClick={onShow}>
        {words.orders.newer(count)}
      </Button>
    )
  );
}
