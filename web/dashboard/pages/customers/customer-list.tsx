import { Group, Text } from '@mantine/core';
import { mayRun } from '../../api/access';
import type { Input, Output } from '../../api/client';
import { usePages } from '../../api/queries';
import { useStore } from '../../api/store';
import { GoToButton } from '../../parts/go-to';
import { type Column, DataList } from '../../parts/lists/data-list';
import { shownName } from '../../parts/values/customer-name';
import { number } from '../../parts/values/format';
import { PhoneLink } from '../../parts/values/phone-link';
import { Badge, Money, When } from '../../parts/values/values';
import { words } from '../../words/all';

type Row = Output<'find_customers'>['items'][number];

const COLUMNS = (): Column<Row>[] => [
  { key: 'name', label: words.customers.name, render: shownName },
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
  {
    key: 'phone',
    label: words.customers.phone,
    render: ({ phone, username }) => (phone ? <PhoneLink phone={phone} /> : username ? `@${username}` : '–'),
    onCard: 'line',
  },
  { key: 'orders', label: words.orders.title, render: ({ orderCount }) => number(orderCount), align: 'end' },
  {
    key: 'spent',
    label: words.shopper.spent,
    render: ({ totalSpent }) => <Money minor={totalSpent} />,
    align: 'end',
  },
  {
    key: 'bonus',
    label: words.customers.bonus,
    render: ({ bonusBalance }) => <Money major={bonusBalance} />,
    align: 'end',
    wideOnly: true,
  },
  {
    key: 'lastOrder',
    label: words.customers.lastOrder,
    render: ({ lastOrderAt }) => <When iso={lastOrderAt} short />,
    wideOnly: true,
  },
];

interface Props {
  search: Record<string, string>;
  filters: Input<'find_customers'>;
}

/** The customers that were found, their number, and a way to write to all of them. */
export function CustomerList({ search, filters }: Props) {
  const store = useStore();
  const query = usePages('find_customers', filters);
  const first = query.data?.pages[0] as Output<'find_customers'> | undefined;
  const found = first?.total;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      {found !== undefined && (
        <Group justify="space-between">
          <Text role="status">{words.customers.found(found, first?.totalIsAtLeast === true)}</Text>
          {isFiltered && found > 0 && mayRun(store.role, 'send_campaign') && (
            <GoToButton
              variant="default"
              to={`campaigns/new?${new URLSearchParams({ ...search, by: 'purchases' })}`}
            >
              {words.customers.writeToThem}
            </GoToButton>
          )}
        </Group>
      )}
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        rowName={shownName}
        to={({ id }) => `customers/${id}`}
        empty={
          isFiltered
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.customers.empty, hint: words.customers.emptyHint }
        }
      />
    </>
  );
}
