import './customers.css';
import { Stack } from '@mantine/core';
import { useSearch } from '../../address';
import type { Output } from '../../api/client';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { customerName } from '../../parts/values/customer-name';
import { type Column, DataList } from '../../parts/lists/data-list';
import { number } from '../../parts/values/format';
import { SearchIcon } from '../../parts/icons';
import { ExportLink } from '../../parts/lists/export-link';
import { FindInput } from '../../parts/lists/find-input';
import { isSegment, segmentOf } from '../../parts/lists/segment';
import { PageHead } from '../../parts/states';
import { Badge, Money, When } from '../../parts/values/values';
import { Tabs } from '../../parts/tabs';
import { GoneFilters, useIsGone, withoutGone } from '../../parts/views/gone-filters';
import { SavedViews } from '../../parts/views/saved-views';
import { words } from '../../words';
import { SegmentFilters } from './segment-filters';
import { SegmentList } from './segment-list';

type Row = Output<'list_customers'>['items'][number];

const COLUMNS = (): Column<Row>[] => [
  { key: 'name', label: words.customers.name, render: customerName },
  {
    key: 'username',
    label: words.customers.username,
    render: ({ username }) => (username ? `@${username}` : '–'),
    wideOnly: true,
  },
  {
    key: 'state',
    label: words.customers.state,
    render: ({ isBanned, isBotBlocked }) =>
      isBanned ? (
        <Badge tone="red">{words.customers.banned}</Badge>
      ) : isBotBlocked ? (
        <Badge tone="grey">{words.customers.botBlocked}</Badge>
      ) : (
        <Badge tone="green">{words.customers.active}</Badge>
      ),
    onCard: 'head',
  },
  { key: 'orders', label: words.orders.title, render: ({ orderCount }) => number(orderCount), align: 'end' },
  {
    key: 'spent',
    label: words.customers.spent,
    render: ({ totalSpent }) => <Money minor={totalSpent} />,
    align: 'end',
  },
  {
    key: 'bonus',
    label: words.customers.bonus,
    render: ({ bonusBalance }) => <Money major={bonusBalance} />,
    align: 'end',
  },
  {
    key: 'seen',
    label: words.customers.seen,
    render: ({ lastSeenAt }) => <When iso={lastSeenAt} short />,
    wideOnly: true,
  },
];

export default function CustomersPage() {
  const [search] = useSearch();
  const { currencyDecimals } = useStore();
  const { customers } = words;
  const gone = {
    productId: useIsGone('get_product', search.productId) && customers.bought,
    categoryId: useIsGone('get_category', search.categoryId) && customers.boughtCategory,
  };
  const chosen = withoutGone(search, gone);
  const segment = isSegment(search) ? segmentOf(chosen, currencyDecimals).filters : undefined;
  // Null: a filter cannot be read.
  const exported = segment === undefined ? { search: search.text } : segment;
  const tabs = [
    { value: undefined, label: customers.everybody },
    { value: 'purchases', label: customers.byPurchases },
  ];
  return (
    <Stack>
      <PageHead title={customers.title}>
        {exported && <ExportLink route="GET stores/{storeId}/customers/export.csv" filters={exported} />}
      </PageHead>
      <SavedViews page="customers" />
      <Tabs label={customers.which} name="by" tabs={tabs} replace />
      <FindInput
        aria-label={customers.find}
        placeholder={customers.find}
        leftSection={<SearchIcon size={16} />}
      />
      {isSegment(search) && <SegmentFilters />}
      <GoneFilters gone={isSegment(search) ? gone : {}} />
      {segment === undefined && <Everybody text={search.text} />}
      {segment && <SegmentList search={chosen} filters={segment} />}
    </Stack>
  );
}

function Everybody({ text }: { text: string | undefined }) {
  const query = usePages('list_customers', { search: text });
  return (
    <DataList
      query={query}
      columns={COLUMNS()}
      rowKey={({ id }) => id}
      rowName={customerName}
      to={({ id }) => `customers/${id}`}
      empty={
        text
          ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
          : { title: words.customers.empty, hint: words.customers.emptyHint }
      }
    />
  );
}
