import { Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useSearch } from '../../address';
import type { RouteInput, RouteOutput } from '../../api/client';
import { useChange } from '../../api/change';
import { useRead, usePages } from '../../api/queries';
import { type Column, DataList } from '../../parts/lists/data-list';
import { DayTable } from '../../parts/figures/day-table';
import { Failure } from '../../parts/failure';
import { dayName, number, relative } from '../../parts/values/format';
import { Plot } from '../../parts/figures/plot';
import { localTime, utcTime } from '../../parts/forms/times';
import { LoadingBlock, Section } from '../../parts/states';
import { TimeFilter } from '../../parts/lists/time-filter';
import { When } from '../../parts/values/values';
import { words } from '../../words';
import { DELIVERY_STATUSES, DeliveryBadge, type DeliveryRow } from './delivery-badge';
import { DeliveryDrawer } from './delivery-drawer';

type Filter = RouteInput<'GET stores/{storeId}/webhook/deliveries'>;

const EVENTS = ['order.created', 'order.updated'];
const A_DAY_MS = 86_400_000;
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
  return words.webhooks.attempt(attempts.length, String(last.statusCode ?? last.error));
}

/** The sent and waiting deliveries. The filters are in the address. */
export function Deliveries({ url }: { url: string | null }) {
  const [search, setSearch] = useSearch();
  const [resending, setResending] = useState(false);
  const query = usePages(
    'GET stores/{storeId}/webhook/deliveries',
    {
      status: search.status as Filter['status'],
      event: search.event as Filter['event'],
      orderId: search.order ? Number(search.order) : undefined,
      since: search.since,
    },
    { refetchInterval: REFRESH_MS },
  );
  const findOrder = useDebouncedCallback(
    (order: string | number) => setSearch({ order: String(order) }),
    300,
  );
  const isFiltered = Boolean(search.status ?? search.event ?? search.order ?? search.since);
  return (
    <Stack>
      <Stats />
      <Group justify="space-between" mt="sm">
        <Title order={2}>{words.webhooks.deliveries}</Title>
        {url && (
          <Button variant="default" onClick={() => setResending(true)}>
            {words.webhooks.resendFailed}
          </Button>
        )}
      </Group>
      <Group gap="xs" align="flex-end">
        <Select
          label={words.webhooks.state}
          placeholder={words.common.all}
          clearable
          clearButtonProps={{ 'aria-label': words.common.all }}
          data={DELIVERY_STATUSES.map((value) => ({ value, label: words.webhooks.statuses[value] }))}
          value={search.status ?? null}
          onChange={(status) => setSearch({ status })}
        />
        <Select
          label={words.webhooks.event}
          placeholder={words.common.all}
          clearable
          clearButtonProps={{ 'aria-label': words.common.all }}
          data={EVENTS}
          value={search.event ?? null}
          onChange={(event) => setSearch({ event })}
        />
        <NumberInput
          label={words.orders.order}
          min={1}
          allowDecimal={false}
          hideControls
          defaultValue={search.order}
          onChange={findOrder}
        />
        <TimeFilter name="since" label={words.webhooks.createdSince} />
      </Group>
      <DataList
        query={query}
        columns={COLUMNS()}
        rowKey={({ id }) => id}
        rowName={({ event, orderId }) => `${event} #${orderId ?? '–'}`}
        onOpen={({ id }) => setSearch({ delivery: id })}
        empty={
          isFiltered
            ? { title: words.common.nothingFound, hint: words.common.nothingFoundHint }
            : { title: words.webhooks.empty, hint: words.webhooks.emptyHint }
        }
      />
      {search.delivery && (
        <DeliveryDrawer id={search.delivery} url={url} onClose={() => setSearch({ delivery: null })} />
      )}
      {resending && <ResendDialog onClose={() => setResending(false)} />}
    </Stack>
  );
}

type Day = RouteOutput<'GET stores/{storeId}/webhook/stats'>['daily'][number];
const FIGURES = ['delivered', 'failed', 'pending', 'attempts'] as const;

/**
 * The outcomes of the stored deliveries, in total and by day. Not refreshed while the page is open, because
 * the query counts all of them.
 */
function Stats() {
  const stats = useRead('GET stores/{storeId}/webhook/stats', { period: '30d' });
  if (stats.error) return <Failure error={stats.error} retry={() => void stats.refetch()} />;
  if (!stats.data) return <LoadingBlock lines={3} />;
  const { daily } = stats.data;
  return (
    <Section title={words.webhooks.stats} hint={words.analytics.utc}>
      <Group component="dl" gap="xl" m={0}>
        {FIGURES.map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {words.webhooks.figures[name]}
            </Text>
            <Text component="dd" m={0} size="lg" fw={650} className="numeric">
              {number(stats.data[name])}
            </Text>
          </div>
        ))}
      </Group>
      <Plot
        label={words.webhooks.perDay}
        format={number}
        series={[
          { name: 'delivered', label: words.webhooks.figures.delivered, color: 'teal-6' },
          { name: 'failed', label: words.webhooks.figures.failed, color: 'red-7' },
        ]}
        bars={daily.map(({ date, delivered, failed }) => ({ name: dayName(date), delivered, failed }))}
      />
      <DayTable
        days={daily}
        columns={FIGURES.map((name) => ({
          label: words.webhooks.figures[name],
          text: (day: Day) => number(day[name]),
        }))}
      />
    </Section>
  );
}

/** Sends all deliveries that failed since a given time once more. */
function ResendDialog({ onClose }: { onClose: () => void }) {
  const resend = useChange('POST stores/{storeId}/webhook/deliveries/redeliver-failed', {
    done: ({ redelivered, hasMore }) =>
      `${words.webhooks.resent(redelivered)} ${hasMore ? words.webhooks.resentMore : ''}`.trim(),
    refusals: 'form',
    onDone: onClose,
  });
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - A_DAY_MS).toISOString()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void resend.make({ since: utcTime(since)! });
  };
  return (
    <Modal opened onClose={onClose} title={words.webhooks.resendFailed}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {resend.error && <Failure error={resend.error} />}
          <TextInput
            type="datetime-local"
            label={words.webhooks.since}
            description={words.webhooks.sinceHint}
            required
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" loading={resend.isPending}>
              {words.webhooks.resend}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
