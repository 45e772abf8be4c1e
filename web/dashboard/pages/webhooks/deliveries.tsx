import { Group, Stack, Title } from '@mantine/core';
import { DecimalInput } from '../../parts/inputs/decimal-input';
import { useDebouncedCallback } from '@mantine/hooks';
import { useSearch } from '../../address';
import type { InputOf } from '../../api/client';
import { failureInWords } from '../../api/telling/failure-words';
import { usePages } from '../../api/queries';
import { choicesOf } from '../../parts/inputs/inputs-of';
import { ChoiceFilter, TimeFilter } from '../../parts/lists/filters';
import { type Column, DataList } from '../../parts/lists/data-list';
import { relative } from '../../parts/values/format';
import { When } from '../../parts/values/values';
import { words } from '../../words/all';
import { DELIVERY_STATUSES, DeliveryBadge, type DeliveryRow } from './delivery-badge';
import { DeliveryDrawer } from './delivery-drawer';
import { ResendButton } from './resend';
import { Stats } from './stats';

type Filter = InputOf<'GET stores/{storeId}/webhook/deliveries'>;

const EVENTS = ['order.created', 'order.updated'];
const REFRESH_MS = 15_000;

const COLUMNS = (): Column<DeliveryRow>[] => [
  { key: 'event', label: words.webhooks.event, render: ({ event }) => event },
  {
    key: 'order',
    label: words.orders.order,
    render: ({ orderId }) => (orderId === null ? '–' : `#${orderId}`),
  },
  { key: 'status', label: words.webhooks.state, render: ({ status }) => <DeliveryBadge status={status} /> },
  { key: 'last', label: words.webhooks.lastAnswer, render: lastAnswer },
  {
    key: 'next',
    label: words.webhooks.next,
    render: ({ nextAttemptAt }) => (nextAttemptAt ? relative(nextAttemptAt) : '–'),
  },
  { key: 'created', label: words.fields.createdAt, render: ({ createdAt }) => <When iso={createdAt} /> },
];

function lastAnswer({ attempts }: DeliveryRow): string {
  const last = attempts.at(-1);
  if (!last) return '–';
  return words.webhooks.attempt(attempts.length, String(last.statusCode ?? failureInWords(last.error ?? '')));
}

/** The sent and waiting deliveries. The filters are in the address. */
export function Deliveries({ url }: { url: string | null }) {
  const [search, setSearch] = useSearch();
  const { status, event, order, since, delivery } = search;
  const query = usePages(
    'GET stores/{storeId}/webhook/deliveries',
    { status, event, orderId: order ? Number(order) : undefined, since } as Filter,
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Stack>
      <Stats />
      <Group justify="space-between" mt="sm">
        <Title order={2}>{words.webhooks.deliveries}</Title>
        {url && <ResendButton />}
      </Group>
      <Filters />
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        rowName={(row) => `${row.event} #${row.orderId ?? '–'}`}
        onOpen={({ id }) => setSearch({ delivery: id })}
        empty={
          status || event || order || since
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.webhooks.empty, hint: words.webhooks.emptyHint }
        }
      />
      {delivery && <DeliveryDrawer id={delivery} url={url} onClose={() => setSearch({ delivery: null })} />}
    </Stack>
  );
}

function Filters() {
  const [search, setSearch] = useSearch();
  const findOrder = useDebouncedCallback(
    (order: number | null) => setSearch({ order: order === null ? null : String(order) }),
    300,
  );
  return (
    <div className="choice-filters">
      <ChoiceFilter
        name="status"
        label={words.webhooks.state}
        data={choicesOf(DELIVERY_STATUSES, words.webhooks.statuses)}
      />
      <ChoiceFilter name="event" label={words.webhooks.event} data={EVENTS} />
      <DecimalInput
        label={words.orders.order}
        value={search.order ? Number(search.order) : null}
        onChange={findOrder}
      />
      <TimeFilter name="since" label={words.webhooks.createdSince} />
    </div>
  );
}
